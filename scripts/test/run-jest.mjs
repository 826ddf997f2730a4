// @ts-check
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { nodeOptionsOfJest } from './run-with-module-flag.mjs'

/** Jest writes its report and then exits, unless a spec left a socket, a timer or a child process open. */
const EXIT_DEADLINE_MS = 10_000
/** Characters of an error in the list of failures. */
const ERROR_LENGTH = 300
const LEAK = 'Jest reported its results but did not exit: a spec left a socket, a timer or a child process open.'

/**
 * @typedef {{passed: number, failed: number, skipped: number, failures: string[]}} Counts one line for each failure
 * @typedef {{name: string, status: string, message: string, assertionResults: {status: string, fullName: string,
 * failureMessages: string[]}[]}} FileResult
 * @typedef {{finished: Promise<Counts>, kill: (signal: NodeJS.Signals) => void}} JestRun
 */

/**
 * Runs projects of jest.config.js. A spec file that cannot run, a crash of Jest and a leak of open handles each count
 * as one failed test.
 * @param {object} run
 * @param {string} run.root
 * @param {string[]} run.projects
 * @param {number} [run.workers] spec files at a time; 1: one after another in the process of Jest itself; else as
 * jest.config.js says
 * @param {boolean} [run.isBackground] at the lowest priority
 * @param {number} [run.testTimeoutMs]
 * @param {string[]} run.patterns
 * @param {string} run.outputFile
 * @param {number} [run.exitDeadlineMs] how long Jest may take to exit after its report
 * @param {(text: string) => void} [run.print] receives the report for people
 * @returns {Promise<JestRun>}
 */
export async function runJest({
  root,
  projects,
  workers,
  isBackground = false,
  testTimeoutMs,
  patterns,
  outputFile,
  exitDeadlineMs = EXIT_DEADLINE_MS,
  print = (text) => void process.stderr.write(text),
}) {
  const args = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...patterns,
    ...['--config', join(root, 'jest.config.js'), '--json', '--outputFile', outputFile, '--passWithNoTests'],
    ...(workers === undefined ? [] : workers === 1 ? ['--runInBand'] : ['--maxWorkers', String(workers)]),
    ...(testTimeoutMs === undefined ? [] : ['--testTimeout', String(testTimeoutMs)]),
    ...['--selectProjects', ...projects],
  ]
  const { killedWithParent, watchChild } = await import('@partsbus/local-stack/parent-death')
  const nice = isBackground ? ['nice', '-n', '19'] : []
  const [command = '', ...rest] = [...nice, process.execPath, ...args]
  const line = killedWithParent({ command, args: rest })
  const jest = spawn(line.command, line.args, {
    cwd: root,
    // With --json Jest prints its report to stdout as well: it is dropped, the readable one is on stderr.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
      NODE_OPTIONS: nodeOptionsOfJest(),
    },
  })
  watchChild(jest)
  return { finished: finish({ jest, root, outputFile, exitDeadlineMs, print }), kill: (signal) => jest.kill(signal) }
}

/**
 * @param {{jest: import('node:child_process').ChildProcess, root: string, outputFile: string, exitDeadlineMs: number,
 * print: (text: string) => void}} run
 * @returns {Promise<Counts>}
 */
async function finish({ jest, root, outputFile, exitDeadlineMs, print }) {
  let leaks = 0
  jest.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    print(text)
  })
  const ended = new AbortController()
  /** @type {Promise<number | null>} */
  const exit = new Promise((resolve) => {
    jest.once('error', () => resolve(1))
    jest.once('close', (code) => resolve(code))
  })
  void killWhenHanging(jest, outputFile, exitDeadlineMs, ended.signal).then((isHanging) => {
    if (!isHanging) return
    leaks = 1
    print(`${LEAK}\n`)
  })
  const code = await exit
  ended.abort()
  const report = readReport(outputFile)
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0, failures: [`Jest ended with ${code}`] }
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites + leaks
  const isUnexplained = failed === 0 && code !== 0
  return {
    passed: report.numPassedTests,
    failed: isUnexplained ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...report.testResults.flatMap((file) => failuresOf(file, root)),
      ...(leaks > 0 ? [LEAK] : []),
      ...(isUnexplained ? [`Jest ended with ${code}`] : []),
    ],
  }
}

/** @param {FileResult} file @param {string} root @returns {string[]} */
function failuresOf({ name, status, message, assertionResults }, root) {
  const path = relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  // a file that could not run has no tests, but a message
  if (failed.length === 0) return status === 'failed' ? [`${path}: ${onOneLine(message)}`] : []
  return failed.map((test) => `${path} › ${test.fullName}: ${onOneLine(test.failureMessages[0] ?? '')}`)
}

/** @param {string} text */
function onOneLine(text) {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').trim().slice(0, ERROR_LENGTH)
}

/**
 * @param {import('node:child_process').ChildProcess} jest @param {string} outputFile @param {number} exitDeadlineMs
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether it had to be killed
 */
async function killWhenHanging(jest, outputFile, exitDeadlineMs, signal) {
  while (!signal.aborted && readReport(outputFile) === undefined)
    await delay(1_000, undefined, { signal }).catch(() => undefined)
  await delay(exitDeadlineMs, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return false
  jest.kill('SIGKILL')
  return true
}

/**
 * @param {string} outputFile
 * @returns {{numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 * numRuntimeErrorTestSuites: number, testResults: FileResult[]} | undefined}
 */
function readReport(outputFile) {
  try {
    return JSON.parse(readFileSync(outputFile, 'utf8'))
  } catch {
    return undefined
  }
}
