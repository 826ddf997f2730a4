// @ts-check
import { fileName, isShipped, isSource } from './places.mjs'
import { scanSource } from './scan-source.mjs'

const SAYS_NOTHING = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'shared',
  'misc',
  'base',
  'manager',
  'managers',
])
const SAYS_NOTHING_IN_CODE = new Set(['util', 'utils', 'helper', 'helpers', 'misc', 'manager', 'impl', 'dto'])
/** Terms that have no other name: a spreadsheet's table of texts, the address that others are relative to. */
const FIELD_TERMS = /shared-strings|base-url/g
const DECLARES = new Set(['class', 'interface', 'type', 'function', 'enum'])
const ROOTS = /^(packages|services|e2e|bench|scripts|deploy|docs)\//

/** Names of files and folders, and of what shipped code declares (CONTRIBUTING.md#names). @param {import('./places.mjs').File[]} files */
export function checkNames(files) {
  return files
    .filter((file) => isSource(file.path) && ROOTS.test(file.path))
    .flatMap((file) => [...pathNames(file), ...codeNames(file)])
}

/** @param {import('./places.mjs').File} file @returns {import('./places.mjs').Violation[]} */
function pathNames({ path }) {
  const found = []
  if (/^index\.[a-z]+$/.test(fileName(path))) {
    found.push({ rule: 'no-index', path, message: 'a folder has no index file: a package has subpaths' })
  }
  if (!/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(fileName(path))) {
    found.push({ rule: 'kebab-case', path, message: 'file names are kebab-case' })
  }
  const empty = path
    .replace(FIELD_TERMS, '')
    .split(/[/.-]/)
    .find((word) => SAYS_NOTHING.has(word))
  if (empty) found.push({ rule: 'name-says-nothing', path, message: `"${empty}" does not say what the file does` })
  return found
}

/** @param {import('./places.mjs').File} file @returns {import('./places.mjs').Violation[]} */
function codeNames({ path, text }) {
  if (!isShipped(path)) return []
  const tokens = scanSource(text).filter((token) => token.kind !== 'comment')
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || tokens[at - 1]?.text === '.') return []
    const next = tokens[at + 1]
    if (token.text === 'export' && next?.text === 'default') {
      return [{ rule: 'named-exports', path, line: token.line, message: 'export default: exports are named' }]
    }
    const declares = DECLARES.has(token.text) || (token.text === 'const' && tokens[at - 1]?.text === 'export')
    if (!declares || next?.kind !== 'word') return []
    const empty = wordsOf(next.text).find((word) => SAYS_NOTHING_IN_CODE.has(word))
    return empty
      ? [
          {
            rule: 'name-says-nothing',
            path,
            line: next.line,
            message: `"${empty}" in ${next.text} does not say what it is`,
          },
        ]
      : []
  })
}

/** `readHTTPBody_now` → read, http, body, now. @param {string} name */
export function wordsOf(name) {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}
