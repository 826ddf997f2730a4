// @ts-check
import { fileName, isShipped, isSource } from './places.mjs'

const VAGUE = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc', 'base', 'manager', 'managers'])
const VAGUE_IN_CODE = new Set(['util', 'utils', 'helper', 'helpers', 'misc', 'manager', 'impl', 'dto'])
/** Terms that have no other name: a spreadsheet's table of texts, the address that others are relative to. */
const FIELD_TERMS = /shared-strings|base-url/g
const DECLARATION =
  /^\s*(?:export )?(?:abstract |async )*(?:class|interface|type|function|enum) (\w+)|^export const (\w+)/
const ROOTS = /^(packages|services|apps|e2e|bench|scripts|deploy|docs)\//

/**
 * Names of files, folders and declarations that do not say what is in them.
 *
 * @param {import('./places.mjs').File[]} files
 */
export function checkNames(files) {
  return files
    .filter((file) => isSource(file.path) && ROOTS.test(file.path))
    .flatMap((file) => [...pathNames(file), ...declaredNames(file)])
}

/** @param {import('./places.mjs').File} file @returns {import('./places.mjs').Violation[]} */
function pathNames({ path }) {
  const found = []
  if (/^index\.[a-z]+$/.test(fileName(path)))
    found.push({ rule: 'no-index', path, message: 'a folder has no index file: a package has subpaths' })
  const vague = path
    .replace(FIELD_TERMS, '')
    .split(/[/.-]/)
    .find((word) => VAGUE.has(word))
  if (vague) found.push({ rule: 'vague-name', path, message: `"${vague}" does not say what the file does` })
  return found
}

/** @param {import('./places.mjs').File} file @returns {import('./places.mjs').Violation[]} */
function declaredNames({ path, text }) {
  if (!isShipped(path)) return []
  return text.split('\n').flatMap((content, at) => {
    const [, declared, constant] = DECLARATION.exec(content) ?? []
    const name = declared ?? constant ?? ''
    const vague = splitWords(name).find((word) => VAGUE_IN_CODE.has(word))
    return vague
      ? [{ rule: 'vague-name', path, line: at + 1, message: `"${vague}" in ${name} does not say what it is` }]
      : []
  })
}

/** `readHTTPBody_now` → read, http, body, now. @param {string} name */
export function splitWords(name) {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}
