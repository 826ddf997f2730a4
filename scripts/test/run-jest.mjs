// @ts-check
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Jest writes its result and then ends, unless a test left something open. */
const ENDS_WITHIN_MS = 10_000

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Counts
 * @typedef {{finished: Promise<Counts>, kill: (signal: NodeJS.Signals) => void}} JestRun
 */

/**
 * Runs one project of jest.config.js. A spec file that cannot run at all counts as one failed test, a crash of Jest too.
 * @param {object} run
 * @param {string} run.root
 * @param {string} run.project
 * @param {string[]} run.patterns
 * @param {{mongodbUrl: string, natsUrl: string}} run.stack
 * @param {string} run.outputFile
 * @returns {Promise<JestRun>}
 */
export async function runJest({ root, project, patterns, stack, outputFile }) {
  const args = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...patterns,
    ...['--config', join(root, 'jest.config.js'), '--json', '--outputFile', outputFile, '--passWithNoTests'],
    ...(project === 'e2e' ? ['--runInBand', '--testTimeout', '180000'] : []),
    ...['--selectProjects', project],
  ]
  const { diesWithParent, watchOver } = await import('@partsbus/local-stack/parent-death')
  const line = diesWithParent({ command: process.execPath, args })
  const jest = spawn(line.command, line.args, {
    cwd: root,
    // With --json Jest prints its report to stdout as well: it goes nowhere, the readable one is on stderr.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // Colours are asked for by CI=true alone, and unreadable in a file.
      ...(process.stderr.isTTY ? {} : { NO_COLOR: '1' }),
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
      MONGODB_URL: stack.mongodbUrl,
      NATS_URL: stack.natsUrl,
    },
  })
  watchOver(jest)
  return { finished: finish(jest, outputFile), kill: (signal) => jest.kill(signal) }
}

/** @param {import('node:child_process').ChildProcess} jest @param {string} outputFile @returns {Promise<Counts>} */
async function finish(jest, outputFile) {
  const ended = new AbortController()
  /** @type {Promise<number | null>} */
  const exit = new Promise((resolve) => {
    jest.once('error', () => resolve(1))
    jest.once('close', (code) => resolve(code))
  })
  void endWhenReported(jest, outputFile, ended.signal)
  const code = await exit
  ended.abort()
  const report = readReport(outputFile)
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** @param {import('node:child_process').ChildProcess} jest @param {string} outputFile @param {AbortSignal} signal */
async function endWhenReported(jest, outputFile, signal) {
  while (!signal.aborted) {
    await delay(1_000, undefined, { signal }).catch(() => undefined)
    if (readReport(outputFile) === undefined) continue
    await delay(ENDS_WITHIN_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    console.error('A test left something open: Jest had ended its work, but did not exit.')
    jest.kill('SIGKILL')
    return
  }
}

/**
 * @param {string} outputFile
 * @returns {{numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, numRuntimeErrorTestSuites: number, success: boolean} | undefined}
 */
function readReport(outputFile) {
  try {
    return JSON.parse(readFileSync(outputFile, 'utf8'))
  } catch {
    return undefined
  }
}
