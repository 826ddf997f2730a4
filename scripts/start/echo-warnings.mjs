// @ts-check
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'

const LOUD = new Set(['warn', 'error', 'fatal'])
const NEWLINE = 10
const EVERY_MS = 1_000
const MOST_LINES = 10
const MOST_BYTES = 256 * 1024

/**
 * Prints the warnings and errors of the services on the console, at most ten lines per second and file.
 * @param {{name: string, logFile: string}[]} plans
 * @param {(line: string) => void} print
 * @returns {() => void} ends it
 */
export function echoWarnings(plans, print) {
  const tails = plans.map(({ name, logFile }) => ({
    name,
    logFile,
    read: existsSync(logFile) ? statSync(logFile).size : 0,
    // the end of the file may be the middle of a line
    isCut: true,
  }))
  const timer = setInterval(() => tails.forEach((tail) => echoNew(tail, print)), EVERY_MS)
  return () => clearInterval(timer)
}

/**
 * @typedef {{name: string, logFile: string, read: number, isCut: boolean}} Tail `isCut`: `read` may be inside a line
 */

/** @param {Tail} tail @param {(line: string) => void} print */
function echoNew(tail, print) {
  const text = readNew(tail)
  const lines = text.split('\n').flatMap((line) => loudLine(tail.name, line))
  for (const line of lines.slice(0, MOST_LINES)) print(line)
  if (lines.length > MOST_LINES) print(`${tail.name}: ${lines.length - MOST_LINES} more, see ${tail.logFile}`)
}

/** Whole lines only; of too much text, the last lines. @param {Tail} tail */
function readNew(tail) {
  const size = existsSync(tail.logFile) ? statSync(tail.logFile).size : 0
  // a restart moves a large log aside and begins a new one
  if (size < tail.read) Object.assign(tail, { read: 0, isCut: false })
  if (size === tail.read) return ''
  const from = Math.max(tail.isCut ? tail.read - 1 : tail.read, size - MOST_BYTES, 0)
  const isCut = from > 0 && (tail.isCut || from > tail.read)
  const bytes = Buffer.alloc(size - from)
  const file = openSync(tail.logFile, 'r')
  readSync(file, bytes, 0, bytes.length, from)
  closeSync(file)
  const end = bytes.lastIndexOf(NEWLINE) + 1
  const start = isCut ? bytes.indexOf(NEWLINE) + 1 : 0
  if (end === 0) return ''
  tail.read = from + end
  tail.isCut = false
  return bytes.toString('utf8', start, end)
}

/** @param {string} name @param {string} line @returns {string[]} */
export function loudLine(name, line) {
  if (!line.startsWith('{')) return line.trim() === '' ? [] : [`${name}: ${line}`]
  try {
    const entry = JSON.parse(line)
    if (!LOUD.has(entry.level)) return []
    const reason = entry.err?.message ?? entry.error?.message
    return [`${name} ${entry.level}: ${entry.msg ?? ''}${reason ? ` (${reason})` : ''}`]
  } catch {
    return [`${name}: ${line}`]
  }
}
