// @ts-check
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { check } from 'recheck'
import { findPatterns } from './find-patterns.mjs'
import { describeViolation } from './rules.mjs'

/**
 * Files with patterns that are made at run time: how each looks, and why the parts that vary are harmless.
 *
 * @type {Record<string, string[]>}
 */
const MADE_AT_RUN_TIME = {
  // the parts are names of elements, without signs of a pattern
  'packages/price-file/src/xlsx/xml-text.ts': [
    String.raw`<(?:[\w.-]+:)?name\s[^<>]*>`,
    String.raw`<([\w.-]+:)?name[\s>]`,
  ],
  // a host, escaped
  'services/catalog/src/media/media-job-store.ts': [String.raw`^https?://([^/?#@]*@)?cdn\.host(:\d+)?([/?#]|$)`],
  // a route of ours; `*` comes last
  'services/gateway/src/http/route-registry.ts': ['^/api/[^/]+/name/.*$'],
}

/** For one pattern, on a machine that does other work as well; the slowest takes about 2 s of processor time. */
const LIMIT_MS = 120_000
/** For an attack that was found by trying. */
const ATTACK_MS = 500
/** Larger automata take longer than to look for an attack by trying. */
const MAX_AUTOMATON = 8_000

const { version } = createRequire(import.meta.url)('recheck/package.json')

/**
 * Patterns of shipped code whose time grows faster than their text ("ReDoS").
 *
 * @param {import('./places.mjs').File[]} files
 * @param {string} root where `node_modules` is, which keeps what was found safe
 * @returns {Promise<string[]>} complaints
 */
export async function checkPatterns(files, root) {
  const { patterns, unknown } = findPatterns(files)
  const samples = Object.entries(MADE_AT_RUN_TIME).flatMap(([path, sources]) =>
    sources.map((source) => ({ source, flags: 'i', path, line: 1 })),
  )
  const undescribed = unknown.filter(({ path, parts }) => {
    const described = MADE_AT_RUN_TIME[path] ?? []
    return countOf(unknown, path) !== described.length || !described.some((text) => hasInOrder(text, parts))
  })
  const safe = openVerdicts(root)
  const complaints = []
  for (const { source, flags, path, line } of [...patterns, ...samples]) {
    const key = createHash('sha256').update(`${version} ${flags} ${source}`).digest('base64url')
    const fault = safe.has(key) ? undefined : await faultOf(source, flags)
    if (fault === undefined) safe.add(key)
    else complaints.push({ rule: 'slow-pattern', path, line, message: `/${source}/${flags}: ${fault}` })
  }
  safe.save()
  return [...undescribed, ...complaints].map(describeViolation)
}

/** @param {{ path: string }[]} found @param {string} path */
const countOf = (found, path) => found.filter((one) => one.path === path).length

/** @param {string} text @param {string[]} parts */
function hasInOrder(text, parts) {
  let at = 0
  return parts.every((part) => {
    const found = text.indexOf(part, at)
    at = found + part.length
    return found !== -1
  })
}

/** @param {string} source @param {string} flags @returns {Promise<string | undefined>} */
async function faultOf(source, flags) {
  const options = { timeout: LIMIT_MS, randomSeed: 1 }
  let found = await check(source, flags, { ...options, maxNFASize: MAX_AUTOMATON })
  if (found.status === 'unknown') found = await check(source, flags, { ...options, checker: 'fuzz' })
  if (found.status === 'safe') return undefined
  if (found.status === 'vulnerable' && found.checker === 'fuzz' && !isSlow(source, flags, found.attack.string))
    return undefined
  if (found.status === 'unknown') return `not decided within ${LIMIT_MS} ms (${found.error.kind}); make it simpler`
  return `${found.complexity.summary}, for example on ${found.attack.pattern}`
}

/**
 * Whether an attack that was found by trying takes its time in fact: on a busy machine one may be found for a pattern
 * that is none. A real one takes seconds.
 *
 * @param {string} source @param {string} flags @param {string} text
 */
function isSlow(source, flags, text) {
  const isStopped = () => {
    try {
      runInNewContext('new RegExp(source, flags).test(text)', { source, flags, text }, { timeout: ATTACK_MS })
      return false
    } catch {
      return true
    }
  }
  return [1, 2, 3].every(isStopped)
}

/**
 * What was found safe by earlier runs. A pattern with a fault is checked by each run.
 *
 * @param {string} root
 */
function openVerdicts(root) {
  const folder = join(root, 'node_modules', '.cache')
  const path = join(folder, 'safe-patterns.json')
  /** @type {Set<string>} */
  const known = new Set(readKnown(path))
  const before = known.size
  return {
    has: (/** @type {string} */ key) => known.has(key),
    add: (/** @type {string} */ key) => known.add(key),
    save() {
      if (known.size === before) return
      mkdirSync(folder, { recursive: true })
      const partial = `${path}.${process.pid}`
      writeFileSync(partial, JSON.stringify([...known]))
      renameSync(partial, path)
    },
  }
}

/** @param {string} path @returns {string[]} */
function readKnown(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
