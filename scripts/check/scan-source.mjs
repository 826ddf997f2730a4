// @ts-check
/**
 * Cuts TypeScript or JavaScript into comments, strings, words and marks, so that a rule never mistakes
 * text inside a string or a comment for code. Not a parser: it knows where things begin and end, no more.
 *
 * @typedef {{ kind: 'comment' | 'string' | 'regex' | 'word' | 'mark', text: string, line: number }} Token
 * A string's `text` is what stands between its quotes; a template contributes one string per literal piece.
 */

const WORD = /[\p{L}\p{N}_$]/u
const REGEX_MAY_FOLLOW = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'delete',
  'throw',
  'await',
  'yield',
])

/** @param {string} text @returns {Token[]} */
export function scanSource(text) {
  /** @type {Token[]} */
  const tokens = []
  /** Depth of `{` at which each open template goes on. @type {number[]} */
  const templates = []
  let depth = 0
  let line = 1
  let at = 0

  /** @param {Token['kind']} kind @param {string} value @param {number} end */
  const push = (kind, value, end) => {
    tokens.push({ kind, text: value, line })
    line += countLines(text.slice(at, end))
    at = end
  }
  /** @param {number} from where the literal piece begins */
  const template = (from) => {
    const end = templatePieceEnd(text, from)
    const opens = text[end] === '$'
    push('string', text.slice(from, end), Math.min(text.length, end + (opens ? 2 : 1)))
    if (opens) templates.push(depth)
  }

  if (text.startsWith('#!')) at = lineEnd(text, 0)
  while (at < text.length) {
    const char = text[at] ?? ''
    const next = text[at + 1]
    if (char === '\n') {
      line++
      at++
    } else if (/\s/.test(char)) at++
    else if (char === '/' && next === '/') push('comment', text.slice(at + 2, lineEnd(text, at)), lineEnd(text, at))
    else if (char === '/' && next === '*') {
      const close = text.indexOf('*/', at + 2)
      const end = close < 0 ? text.length : close
      push('comment', text.slice(at + 2, end), Math.min(text.length, end + 2))
    } else if (char === '"' || char === "'") {
      const end = quoteEnd(text, at)
      push('string', text.slice(at + 1, end), end + 1)
    } else if (char === '`') template(at + 1)
    else if (char === '}' && templates.at(-1) === depth) {
      templates.pop()
      template(at + 1)
    } else if (char === '/' && regexMayStart(tokens.at(-1)) && regexEnd(text, at) > 0) {
      const end = regexEnd(text, at)
      push('regex', text.slice(at, end), end)
    } else if (WORD.test(char)) {
      let end = at + 1
      while (end < text.length && WORD.test(text[end] ?? '')) end++
      push('word', text.slice(at, end), end)
    } else {
      if (char === '{') depth++
      if (char === '}') depth--
      push('mark', char, at + 1)
    }
  }
  return tokens
}

/** @param {string} text */
const countLines = (text) => text.split('\n').length - 1

/** @param {string} text @param {number} from */
function lineEnd(text, from) {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** @param {string} text @param {number} from position of the opening quote */
function quoteEnd(text, from) {
  let at = from + 1
  while (at < text.length && text[at] !== text[from] && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1
  return at
}

/** End of a template's literal piece: at its closing backtick or at the `$` of `${`. @param {string} text @param {number} from */
function templatePieceEnd(text, from) {
  let at = from
  while (at < text.length && text[at] !== '`' && !(text[at] === '$' && text[at + 1] === '{'))
    at += text[at] === '\\' ? 2 : 1
  return at
}

/** @param {Token | undefined} before */
function regexMayStart(before) {
  if (before === undefined || before.kind === 'comment') return true
  if (before.kind === 'mark') return !')]}'.includes(before.text)
  return before.kind === 'word' && REGEX_MAY_FOLLOW.has(before.text)
}

/** Position after the closing slash and flags, or -1 when the line ends first. @param {string} text @param {number} from */
function regexEnd(text, from) {
  let inClass = false
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) {
      let end = at + 1
      while (/[a-z]/.test(text[end] ?? '')) end++
      return end
    }
  }
  return -1
}
