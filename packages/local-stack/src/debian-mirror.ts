import { readdirSync, readFileSync } from 'node:fs'

interface Source {
  addresses: string[]
  suites: string[]
  components: string[]
}

/**
 * The mirror of Debian's main archive in the apt sources of this machine (sources.list and sources.list.d, both
 * formats), or undefined. `DEBIAN_MIRROR` has priority.
 */
export function findDebianMirror(): string | undefined {
  if (process.env.DEBIAN_MIRROR) return process.env.DEBIAN_MIRROR
  return parseMirror(sourceFiles().map(readText).join('\n\n'))
}

/**
 * The first URL of Debian's main archive in a file of apt sources. Archives of vendors look alike (`…/debian`, `main`),
 * but have no `-updates`, so an archive with `-updates` has priority.
 */
export function parseMirror(text: string): string | undefined {
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
  return text.split('\n').flatMap((line) => {
    const withoutOptions = (line.split('#', 1)[0] ?? '').replace(/\[[^\]]*\]?/, '')
    const [type, address = '', suite = '', ...components] = words(withoutOptions)
    return type === 'deb' ? [{ addresses: [address], suites: [suite], components }] : []
  })
}

function stanzaSources(text: string): Source[] {
  const withoutComments = text.replace(/^#.*\n?/gm, '')
  return withoutComments.split(/\n\s*\n/).map((stanza) => {
    const found = stanza.matchAll(/^(\w+):(.*(?:\n[ \t].*)*)/gm)
    const fields = new Map([...found].map(([, name = '', value = '']) => [name, words(value)]))
    const field = (name: string) => fields.get(name) ?? []
    return { addresses: field('URIs'), suites: field('Suites'), components: field('Components') }
  })
}

/** Debian's cloud images refer to a file with the list of mirrors. */
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
