// @ts-check
/**
 * One version for the whole tree. `package.json` has it; these are the other places where it stands. Images read it
 * from there when they are built, and tarballs of the packages when they are packed, so manifests of the workspace have
 * none.
 */
const MANIFEST = 'package.json'
const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = '## [Unreleased]\n'
const FORM = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/

/** In names of Kubernetes. @param {string} version */
const dashed = (version) => version.replaceAll('.', '-')
/** @param {string} version */
const plain = (version) => version

/** @type {{ file: RegExp, pattern: RegExp, form: (version: string) => string }[]} the version is the second group */
const PLACES = [
  { file: /^package\.json$/, pattern: /^( {2}"version": ")([^"]+)/gm, form: plain },
  { file: /^deploy\/kubernetes\/.*kustomization\.yaml$/, pattern: /(newTag: )([\w.-]+)/g, form: plain },
  { file: /^deploy\/kubernetes\/.*kustomization\.yaml$/, pattern: /^(nameSuffix: -)(\S+)/gm, form: dashed },
  { file: /^deploy\/kubernetes\/rendered\//, pattern: /( image: partsbus\/[a-z-]+:)(\S+)/g, form: plain },
  {
    file: /^deploy\/kubernetes\/rendered\//,
    pattern: /^( +name: (?:provision|migrate(?:-[a-z]+)+)-)(\d[\w-]*)/gm,
    form: dashed,
  },
]

/** @param {import('./places.mjs').File[]} files @returns {string | undefined} */
export const versionOf = (files) => JSON.parse(files.find(({ path }) => path === MANIFEST)?.text ?? '{}').version

/**
 * Places that have another version, and what a release needs besides. @param {import('./places.mjs').File[]} files
 */
export function checkVersions(files) {
  const version = versionOf(files)
  if (version === undefined) return []
  const others = files.flatMap(({ path, text }) =>
    placesIn(path).flatMap(({ pattern, form }) =>
      [...text.matchAll(pattern)].flatMap(({ index, 2: found }) =>
        found === form(version)
          ? []
          : [{ rule: 'version', path, line: lineAt(text, index), message: `${found} instead of ${form(version)}` }],
      ),
    ),
  )
  const changelog = files.find(({ path }) => path === CHANGELOG)
  const newest = /^## \[(\d[^\]]*)\]/m.exec(changelog?.text ?? '')
  if (changelog && newest?.[1] !== version)
    others.push({
      rule: 'version',
      path: CHANGELOG,
      line: lineAt(changelog.text, newest?.index ?? 0),
      message: `the newest version is ${newest?.[1]} instead of ${version}`,
    })
  return others
}

/**
 * The files that change with the version: all places, and the changelog, whose unreleased part gets a heading.
 *
 * @param {import('./places.mjs').File[]} files
 * @param {string} version
 * @param {string} date of the release, YYYY-MM-DD
 * @returns {{ path: string, text: string }[]}
 */
export function setVersion(files, version, date) {
  if (!FORM.test(version)) throw new Error(`"${version}" is no version: it has the form 1.2.3 or 1.2.3-rc.1`)
  return files.flatMap(({ path, text }) => {
    const written =
      path === CHANGELOG
        ? withHeading(text, version, date)
        : placesIn(path).reduce(
            (now, { pattern, form }) => now.replace(pattern, (_, before) => `${before}${form(version)}`),
            text,
          )
    return written === text ? [] : [{ path, text: written }]
  })
}

/** What the changelog says of a version. @param {string} changelog @param {string} version @returns {string} */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((each) => each.startsWith(`[${version}]`))
  if (section === undefined) throw new Error(`${CHANGELOG} has no heading for ${version}`)
  return `${section.slice(section.indexOf('\n')).trim()}\n`
}

/** @param {string} text @param {string} version @param {string} date */
function withHeading(text, version, date) {
  if (text.includes(`\n## [${version}]`)) return text
  if (!text.includes(UNRELEASED)) throw new Error(`${CHANGELOG} has no line "${UNRELEASED.trim()}"`)
  return text.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`)
}

/** @param {string} path */
const placesIn = (path) => PLACES.filter(({ file }) => file.test(path))

/** @param {string} text @param {number} index */
const lineAt = (text, index) => text.slice(0, index).split('\n').length
