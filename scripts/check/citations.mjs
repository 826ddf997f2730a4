// @ts-check
/**
 * Citations of the specification. Code, tests and pages cite a rule as `erp.md#products-3`; a range of numbered rules
 * is two citations with `to` between them. This check resolves every citation, every relative link of the markdown
 * files and every file that a guide names, and names the rules that no test cites, in its name or in the comment
 * directly above it. Decision records have one head and are listed.
 *
 * `npm run -s coverage` prints the code and the tests that cite each rule, as a page of markdown.
 * `node scripts/check/citations.mjs --write` rewrites the tests that docs/spec/promises.md names.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSource, isTest } from './places.mjs'
import { readTree } from './read-tree.mjs'

/**
 * @typedef {import('./places.mjs').File} File
 * @typedef {{ page: string, anchor: string, line: number }} Citation `page` as it is written
 */

/** Pages whose anchors are rules. @param {string} path */
const holdsRules = (path) => /^docs\/spec\/(?!README)[\w-]+\.md$/.test(path)
/** Pages that describe the present. Records, figures and plans name files of their time. @param {string} path */
const isGuide = (path) =>
  /^(docs\/(guides|operate|develop)\/|(docs\/)?[A-Z]+\b)[\w./-]*\.md$/.test(path) &&
  !/\/(extending|migrations)\.md$|^CHANGELOG/.test(path)
const isMarkdown = (/** @type {string} */ path) => path.endsWith('.md')
const PROMISES = 'docs/spec/promises.md'
const isSpec = (/** @type {string} */ path) => /\.spec\.(ts|tsx|mjs)$/.test(path)
const isTestCode = (/** @type {string} */ path) => isTest(path) || path.startsWith('e2e/')
/** Deployment files cite rules in comments, too. */
const isCode = (/** @type {string} */ path) =>
  isSource(path) || /\.(css|ya?ml|conf|sh|Dockerfile)$|Dockerfile$/.test(path)

/** @param {File[]} files @returns {string[]} complaints, none when all is well */
export function checkCitations(files) {
  const pages = new Map(files.filter(({ path }) => isMarkdown(path)).map((file) => [file.path, anchorsIn(file.text)]))
  const { rules, cited } = collect(files, pages)
  const untested = rules.filter(({ id }) => !cited.get(id)?.tests.size)
  return [
    ...files.flatMap((file) => deadCitations(file, pages)),
    ...files.filter(({ path }) => isMarkdown(path)).flatMap((file) => deadLinks(file, files, pages)),
    ...files.filter(({ path }) => isGuide(path)).flatMap((file) => deadPaths(file, files)),
    ...files.filter(({ path }) => holdsRules(path)).flatMap(repeatedAnchors),
    ...files.filter(({ path }) => path === PROMISES).flatMap((file) => outdatedPromises(file, files)),
    ...records(files),
    ...untested.map(({ id, path }) => `${path}  no test cites ${id}`),
  ]
}

/** Rule → code and tests that cite it, sorted, as markdown with links from `docs/spec`. @param {File[]} files */
export function coveragePage(files) {
  const pages = new Map(files.filter(({ path }) => isMarkdown(path)).map((file) => [file.path, anchorsIn(file.text)]))
  const { rules, cited } = collect(files, pages)
  const lines = ['# Coverage of the specification']
  let last = ''
  for (const { id, path } of rules) {
    if (path !== last) lines.push('', `## ${posix.basename(path)}`, '', '| Rule | Code | Tests |', '|---|---|---|')
    last = path
    const { code = new Set(), tests = new Set() } = cited.get(id) ?? {}
    const anchor = id.slice(id.indexOf('#'))
    lines.push(`| [${anchor.slice(1)}](${posix.basename(path)}${anchor}) | ${list(code)} | ${list(tests)} |`)
  }
  return `${lines.join('\n')}\n`
}

/** @param {Iterable<string>} paths */
const list = (paths) =>
  [...paths]
    .toSorted()
    .map((path) => `\`${path}\``)
    .join('<br>')

/**
 * @param {File[]} files @param {Map<string, Set<string>>} pages path → anchors
 * @returns {{ rules: Array<{ id: string, path: string }>, cited: Map<string, { code: Set<string>, tests: Set<string> }>
 * }}
 */
function collect(files, pages) {
  const rules = files.filter(({ path }) => holdsRules(path)).flatMap(rulesIn)
  const cited = new Map(rules.map(({ id }) => [id, { code: new Set(), tests: new Set() }]))
  for (const { path, text } of files) {
    if (!isCode(path)) continue
    const isTested = isSpec(path) ? testCitations(text) : new Set()
    for (const { page, anchor, line } of citationsIn(text)) {
      const entry = cited.get(`${resolvePage(page, pages)}#${anchor}`)
      if (isTested.has(line)) entry?.tests.add(path)
      else if (!isTestCode(path)) entry?.code.add(path)
    }
  }
  return { rules, cited }
}

/** Anchors that are rules: all but those of a heading with rules of its own below it. @param {File} file */
function rulesIn({ path, text }) {
  /** @type {Array<{ id: string, path: string, isHeading: boolean }>} */
  const found = []
  for (const line of text.split('\n')) {
    const isHeading = /^#+ /.test(line)
    const anchors = [...line.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => `${path}#${anchor}`)
    if (isHeading || anchors.length > 0) {
      found.push(...anchors.map((id) => ({ id, path, isHeading })))
      if (isHeading && anchors.length === 0) found.push({ id: '', path, isHeading })
    }
  }
  return found.filter(({ id, isHeading }, at) => {
    const next = found[at + 1]
    return id !== '' && !(isHeading && next && !next.isHeading)
  })
}

/** `it(`, `describe.each<Row>(`: what opens a test, a group of tests, or a table of them. */
const OPENS_TEST = /^\s*(?:it|test|describe)(?:\.\w+)*[<(]/
/** A text at the place of a name: the first argument of a test, or the first cell of a row of its table. */
const NAME = /(?:^\s*\[?|\b(?:it|test|describe)(?:\.\w+)*(?:<.*>)?\(|\)\(|\[)(['"`])/
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/

/**
 * Lines of a spec whose citations belong to a test: they stand in its name, or in the comment directly above it.
 * @param {string} text
 */
function testCitations(text) {
  const lines = text.split('\n')
  return new Set(
    lines.flatMap((line, at) => {
      if (!COMMENT.test(line)) return NAME.test(line) ? [at + 1] : []
      const below = lines.slice(at).find((next) => !COMMENT.test(next)) ?? ''
      return OPENS_TEST.test(below) ? [at + 1] : []
    }),
  )
}

const NUMBERED = /^(.*-)(\d+)$/

/** @param {string} text @returns {Citation[]} ranges resolved to their members */
export function citationsIn(text) {
  const found = text.split('\n').flatMap((line, at) => {
    const matches = [...line.matchAll(/([\w./-]*[\w-]+\.md)#([\w-]+)(?: to (?:[\w./-]*[\w-]+\.md)?#([\w-]+))?/g)]
    return matches.flatMap(([, page = '', first = '', last]) =>
      (last ? range(first, last) : [first]).map((anchor) => ({ page, anchor, line: at + 1 })),
    )
  })
  return found
}

/** @param {string} first @param {string} last */
function range(first, last) {
  const [, prefix, from] = NUMBERED.exec(first) ?? []
  const [, other, to] = NUMBERED.exec(last) ?? []
  if (prefix === undefined || prefix !== other) return [first, last]
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${prefix}${Number(from) + at}`)
}

/** Where a page is looked for that is named without its folder: a rule first, so `erp.md` is not the guide. */
const FOLDERS = ['docs/spec/', 'docs/develop/', 'docs/operate/', 'docs/guides/', 'docs/', '', 'docs/decisions/']

/** @param {string} page @param {Map<string, unknown>} pages path → anchors */
const resolvePage = (page, pages) => FOLDERS.map((folder) => folder + page).find((path) => pages.has(path))

/** @param {File} file @param {Map<string, Set<string>>} pages */
function deadCitations({ path, text }, pages) {
  if (!isCode(path)) return []
  const anchors = citationsIn(text).flatMap(({ page, anchor, line }) => {
    const target = resolvePage(page, pages)
    return target && pages.get(target)?.has(anchor)
      ? []
      : [`${path}:${line}  cites ${page}#${anchor}, which does not exist`]
  })
  const whole = text
    .split('\n')
    .flatMap((line, at) =>
      [...line.matchAll(/(?<![\w./-])docs\/[\w./-]+\.md(?!#)/g)]
        .filter(([page]) => !pages.has(page))
        .map(([page]) => `${path}:${at + 1}  cites ${page}, which does not exist`),
    )
  return [...anchors, ...whole]
}

/** @param {File} file @param {File[]} files @param {Map<string, Set<string>>} pages */
function deadLinks({ path, text }, files, pages) {
  const paths = new Set(files.map((file) => file.path))
  const folders = new Set(files.flatMap((file) => parents(file.path)))
  return withoutCode(text).flatMap((line, at) =>
    [...line.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/i.test(link)) return []
      const [target = '', anchor] = link.split('#')
      const page = target === '' ? path : posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/, '')
      if (!paths.has(page) && !folders.has(page)) return [`${path}:${at + 1}  links to ${link}, which does not exist`]
      if (anchor === undefined || !isMarkdown(page) || pages.get(page)?.has(anchor)) return []
      return [`${path}:${at + 1}  links to ${link}: no such heading or anchor`]
    }),
  )
}

const PROMISE = /^(\d+\. <a id="([\w-]+)">.*\n\n {3}Tests: )(.*)$/gm

/** @param {File} file @param {File[]} files */
const outdatedPromises = (file, files) =>
  withPromiseTests(file, files) === file.text
    ? []
    : [`${file.path}  is out of date: run \`node scripts/check/citations.mjs --write\``]

/** The page of the promises with the tests that cite each. @param {File} file @param {File[]} files */
export function withPromiseTests({ text }, files) {
  const pages = new Map(files.filter(({ path }) => isMarkdown(path)).map((file) => [file.path, anchorsIn(file.text)]))
  const { cited } = collect(files, pages)
  return text.replace(PROMISE, (_, /** @type {string} */ promise, /** @type {string} */ anchor) => {
    const tests = [...(cited.get(`${PROMISES}#${anchor}`)?.tests ?? [])].toSorted()
    return `${promise}${tests.map((path) => `\`${path}\``).join(', ')}.`
  })
}

/** Code spans that name a file of the tree. @param {File} file @param {File[]} files */
function deadPaths({ path, text }, files) {
  const paths = new Set(files.map((file) => file.path))
  return text
    .split('\n')
    .flatMap((line, at) =>
      [...line.matchAll(/`((?:packages|services|apps|scripts|e2e|bench|deploy|docs)\/[\w./-]+\.\w+)`/g)]
        .filter(([, named = '']) => !paths.has(named))
        .map(([, named]) => `${path}:${at + 1}  names ${named}, which does not exist`),
    )
}

/** @param {string} path */
function parents(path) {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Lines with code blocks and code spans blanked. @param {string} text */
function withoutCode(text) {
  let fenced = false
  return text.split('\n').map((line) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced) return line.replace(/`[^`]*`/g, '``')
    return ''
  })
}

/** @param {string} text a markdown page */
function anchorsIn(text) {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id))
  for (const line of headingsIn(text)) {
    const slug = line
      .replace(/<[^>]+>/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    for (let number = 0; ; number++) {
      const unique = number === 0 ? slug : `${slug}-${number}`
      if (anchors.has(unique)) continue
      anchors.add(unique)
      break
    }
  }
  return anchors
}

/** @param {string} text */
function headingsIn(text) {
  let fenced = false
  return text.split('\n').flatMap((line) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    return !fenced && /^#+ /.test(line) ? [line.replace(/^#+ /, '')] : []
  })
}

/** A decision record has a number, a status and a date, and is listed. @param {File[]} files */
function records(files) {
  const index = files.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? ''
  return files.flatMap(({ path, text }) => {
    const [, name, number] = /^docs\/decisions\/((\d{4})-[\w-]+\.md)$/.exec(path) ?? []
    if (!name) return []
    const head = new RegExp(`^# ${number}\\. .+\\n\\n- Status: .+\\n- Date: \\d{4}-\\d\\d-\\d\\d\\n`)
    return [
      ...(head.test(text)
        ? []
        : [`${path}  begins otherwise than \`# ${number}. Title\`, \`- Status: …\`, \`- Date: …\``]),
      ...(index.includes(`(${name})`) ? [] : [`${path}  is not listed in docs/decisions/README.md`]),
    ]
  })
}

/** @param {File} file */
function repeatedAnchors({ path, text }) {
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
  return ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `${path}  has the anchor ${id} twice`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  const files = readTree(root)
  if (process.argv.includes('--write'))
    for (const page of files.filter(({ path }) => path === PROMISES))
      writeFileSync(join(root, page.path), withPromiseTests(page, files))
  else process.stdout.write(coveragePage(files))
}
