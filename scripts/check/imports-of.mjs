// @ts-check
import { scanSource } from './scan-source.mjs'

/** @typedef {{ from: string, line: number, typeOnly: boolean }} Import `typeOnly`: an `import type` or `export type` */

/**
 * Every module a source file names: static and side-effect imports, re-exports, `import('x')` (also in a type)
 * and `require('x')`.
 *
 * @param {string} text @returns {Import[]}
 */
export function importsOf(text) {
  const tokens = scanSource(text).filter((token) => token.kind !== 'comment')
  /** @type {Import[]} */
  const found = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || isMark(tokens[at - 1], '.')) return
    const next = tokens[at + 1]
    if (token.text === 'import' || token.text === 'require') {
      const called = isMark(next, '(') ? tokens[at + 2] : token.text === 'import' ? next : undefined
      if (called?.kind === 'string') return void found.push({ from: called.text, line: called.line, typeOnly: false })
    }
    if (token.text === 'import' || token.text === 'export') {
      const source = sourceOf(tokens, at + 1)
      const typeOnly = next?.text === 'type' && tokens[at + 2]?.text !== 'from' && !isMark(tokens[at + 2], ',')
      if (source) found.push({ from: source.text, line: source.line, typeOnly })
    }
  })
  return found
}

/**
 * The string after `from` of the clause that begins at `at`: names, commas, one pair of braces, `*` and `as`.
 * Anything else means that the clause is a declaration.
 *
 * @param {import('./scan-source.mjs').Token[]} tokens @param {number} at
 */
function sourceOf(tokens, at) {
  let braces = 0
  for (; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind === 'word') {
      const after = tokens[at + 1]
      if (token.text === 'from' && braces === 0 && after?.kind === 'string') return after
      if (token.text === 'import' || token.text === 'export') return undefined
    } else if (isMark(token, '{')) braces++
    else if (isMark(token, '}')) braces--
    else if (token?.kind === 'string' ? braces === 0 : !isMark(token, ',') && !isMark(token, '*')) return undefined
  }
  return undefined
}

/** @param {import('./scan-source.mjs').Token | undefined} token @param {string} text */
function isMark(token, text) {
  return token?.kind === 'mark' && token.text === text
}
