// @ts-check
import { parseSync } from '@swc/core'
import { isShipped } from './places.mjs'

/**
 * @typedef {{ source: string, flags: string, path: string, line: number }} Pattern
 * @typedef {{ type: string, span?: { start: number } } & Record<string, any>} Node of swc's syntax tree
 */

/** Stands for the parts of a template that are not constant. */
const VARYING = '\0'

/**
 * The regular expressions of shipped code: literals, and calls of `RegExp` whose text consists of constants of the same
 * module. `unknown` are calls with any other text; of a template, `parts` are the constant ones.
 *
 * @param {import('./places.mjs').File[]} files
 */
export function findPatterns(files) {
  /** @type {Pattern[]} */
  const patterns = []
  /** @type {(import('./places.mjs').Violation & { parts: string[] })[]} */
  const unknown = []
  for (const { path, text } of files.filter((file) => isShipped(file.path))) {
    const module = parse(path, text)
    const constants = topLevelConstants(module)
    for (const node of nodesOf(module)) {
      const found = patternOf(node, constants)
      if (found === undefined) continue
      const line = lineOf(text, (node.span?.start ?? 0) - (module.span?.start ?? 0))
      const { source, flags, parts } = found
      if (source !== undefined && flags !== undefined) patterns.push({ source, flags, path, line })
      else
        unknown.push({ rule: 'unknown-pattern', path, line, message: 'MADE_AT_RUN_TIME does not describe it', parts })
    }
  }
  return { patterns, unknown }
}

/** @param {string} path @param {string} text @returns {Node} */
function parse(path, text) {
  // positions of swc go on from file to file and begin with the first token: this one is the first
  return parseSync(`;${text}`, {
    syntax: /\.[mc]?tsx?$/.test(path) ? 'typescript' : 'ecmascript',
    tsx: path.endsWith('x'),
    decorators: true,
    target: 'es2022',
  })
}

/** @param {Node} module @returns {Map<string, Node>} name → what it is set to */
function topLevelConstants(module) {
  const declarations = module.body
    .map((/** @type {Node} */ item) => item.declaration ?? item)
    .filter((/** @type {Node} */ item) => item.type === 'VariableDeclaration' && item.kind === 'const')
    .flatMap((/** @type {Node} */ item) => item.declarations)
  return new Map(declarations.map((/** @type {Node} */ { id, init }) => [id.value, init]))
}

/** @param {any} value @returns {Generator<Node>} */
function* nodesOf(value) {
  if (value === null || typeof value !== 'object') return
  if (typeof value.type === 'string') yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

/** @param {Node} node @param {Map<string, Node>} constants */
function patternOf(node, constants) {
  if (node.type === 'RegExpLiteral') return { source: node.pattern, flags: node.flags, parts: [] }
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (!isCall || node.callee.value !== 'RegExp') return undefined
  const [source, flags] = node.arguments.map((/** @type {Node} */ { expression }) => textOf(expression, constants))
  const parts = textOf(node.arguments[0]?.expression, constants, VARYING)?.split(VARYING) ?? []
  return { source, flags: node.arguments.length > 1 ? flags : '', parts }
}

/**
 * @param {Node | undefined} node
 * @param {Map<string, Node>} constants
 * @param {string} [varying] stands for the parts of a template that are not constant; absent: it must have none
 * @returns {string | undefined} undefined: it is not constant
 */
function textOf(node, constants, varying) {
  if (node?.type === 'StringLiteral') return node.value
  if (node?.type === 'Identifier') return textOf(constants.get(node.value), constants, varying)
  const isRaw = node?.type === 'TaggedTemplateExpression' && node.tag.property?.value === 'raw'
  const template = isRaw ? node.template : node
  if (template?.type !== 'TemplateLiteral') return undefined
  const parts = template.quasis.map((/** @type {Node} */ { raw, cooked }) => (isRaw ? raw : cooked))
  const values = template.expressions.map(
    (/** @type {Node} */ expression) => textOf(expression, constants, varying) ?? varying,
  )
  if (values.includes(undefined)) return undefined
  return parts.map((/** @type {string} */ part, /** @type {number} */ at) => part + (values[at] ?? '')).join('')
}

/** @param {string} text @param {number} offset in bytes, after the character that `parse` adds */
function lineOf(text, offset) {
  return Buffer.from(text)
    .subarray(0, Math.max(0, offset - 1))
    .toString()
    .split('\n').length
}
