// @ts-check
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'

const LOUD = new Set(['warn', 'error', 'fatal'])
const EVERY_MS = 1_000
const MOST_LINES = 10
const MOST_BYTES = 256 * 1024

/**
 * Shows on the console what the services log as warnings and errors; their logs stay in the files. At most ten lines a second and file.
 * @param {{name: string, logFile: string}[]} plans
 * @param {(line: string) => void} print
 * @returns {() => void} ends it
 */
export function echoWarnings(plans, print) {
  const tails = plans.map(({ name, logFile }) => ({
    name,
    logFile,
    read: existsSync(logFile) ? statSync(logFile).size : 0,
  }))
  const timer = setInterval(() => tails.forEach((tail) => echoNew(tail, print)), EVERY_MS)
  return () => clearInterval(timer)
}

/** @param {{name: string, logFile: string, read: number}} tail @param {(line: string) => void} print */
function echoNew(tail, print) {
  const text = readNew(tail)
  const lines = text.split('\n').flatMap((line) => loudLine(tail.name, line))
  for (const line of lines.slice(0, MOST_LINES)) print(line)
  if (lines.length > MOST_LINES) print(`${tail.name}: ${lines.length - MOST_LINES} more, see ${tail.logFile}`)
}

/** Whole lines only; where there is too much, the latest. @param {{logFile: string, read: number}} tail */
function readNew(tail) {
  const size = existsSync(tail.logFile) ? statSync(tail.logFile).size : 0
  if (size <= tail.read) return ''
  const from = Math.max(tail.read, size - MOST_BYTES)
  const bytes = Buffer.alloc(size - from)
  const file = openSync(tail.logFile, 'r')
  readSync(file, bytes, 0, bytes.length, from)
  closeSync(file)
  const end = bytes.lastIndexOf(10) + 1
  tail.read = from + end
  return bytes.toString('utf8', 0, end)
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
