import { readdirSync, readFileSync } from 'node:fs'

interface Source {
  addresses: string[]
  suites: string[]
  components: string[]
}

/**
 * The mirror of Debian's main archive that this machine's own apt uses: taken from /etc/apt/sources.list and
 * sources.list.d, in both of apt's formats, or undefined. `DEBIAN_MIRROR` goes first.
 */
export function findDebianMirror(): string | undefined {
  if (process.env.DEBIAN_MIRROR) return process.env.DEBIAN_MIRROR
  return mirrorIn(sourceFiles().map(readText).join('\n\n'))
}

/**
 * The first address in a text of apt sources that serves Debian's main archive. Other people's archives may look
 * alike (`…/debian`, `main`), but do not carry `-updates`: one that does goes first.
 */
export function mirrorIn(text: string): string | undefined {
  const sources = [...oneLineSources(text), ...stanzaSources(text)].filter(
    (source) => source.components.includes('main') && !source.suites.some((suite) => suite.includes('/')),
  )
  const withUpdates = sources.filter((source) => source.suites.some((suite) => suite.endsWith('-updates')))
  return [...withUpdates, ...sources]
    .flatMap((source) => source.addresses)
    .map(resolveMirrorFile)
    .find((address) => /^https?:\/\/.+\/debian\/?$/.test(address))
}

function oneLineSources(text: string): Source[] {
  return [...text.matchAll(/^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+([^#\n]*)/gm)].map(
    ([, address = '', suite = '', components = '']) => ({
      addresses: [address],
      suites: [suite],
      components: words(components),
    }),
  )
}

function stanzaSources(text: string): Source[] {
  const withoutComments = text.replace(/^#.*\n?/gm, '')
  return withoutComments.split(/\n\s*\n/).map((stanza) => {
    const field = (name: string) => words(stanza.match(new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'm'))?.[1] ?? '')
    return { addresses: field('URIs'), suites: field('Suites'), components: field('Components') }
  })
}

/** Debian's cloud images name a file that lists the mirrors. */
function resolveMirrorFile(address: string): string {
  if (!address.startsWith('mirror+file:')) return address
  return words(readText(address.slice('mirror+file:'.length).replace(/^\/+/, '/')))[0] ?? ''
}

function sourceFiles(): string[] {
  const folder = '/etc/apt/sources.list.d'
  let parts: string[] = []
  try {
    parts = readdirSync(folder).sort()
  } catch {
    parts = []
  }
  return [
    '/etc/apt/sources.list',
    ...parts.filter((name) => /\.(list|sources)$/.test(name)).map((name) => `${folder}/${name}`),
  ]
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
