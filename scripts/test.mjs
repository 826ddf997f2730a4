// @ts-check
/**
 * `npm test`: installs, builds and runs the unit and integration specs, then those of the HTTP contract.
 * `npm run test:long` (`--long`) runs all others: the admin pages, slow specs, faults, restarts, overload.
 * `npm test -- services/stock` runs the specs of any kind whose path matches. The last line is
 * `N passed, N failed, N skipped`.
 */
import './node/on-supported-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { watchParent } from './start/watch-parent.mjs'
import { runJest } from './test/run-jest.mjs'

const isLong = process.argv[2] === '--long'
const patterns = process.argv.slice(isLong ? 3 : 2)
/*
 * Runs of one stage are made at once, each by a Jest of its own: one that shares a product uses one core. What bounds
 * short times (`long`) waits half of the time; `background` takes what it leaves, and gives way at once.
 */
const SHORT = [
  [
    { projects: ['unit', 'int'], workers: 3 },
    { projects: ['contract'], workers: 1 },
  ],
]
const LONG = [
  [
    { projects: ['slow', 'e2e'], workers: 2 },
    { projects: ['pages'], workers: 1 },
  ],
  [
    { projects: ['long'], workers: 1 },
    { projects: ['background'], workers: 1, isBackground: true },
  ],
]
const stages = isLong ? LONG : patterns.length > 0 ? [...SHORT, ...LONG] : SHORT
/** Specs of a product wait for it to start, and for what it does in minutes. */
const PRODUCT_TIMEOUT_MS = 180_000

const folder = mkdtempSync(join(tmpdir(), 'partsbus-test-run-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
/** @type {import('./test/run-jest.mjs').JestRun[]} */
let running = []
let isOver = false

watchParent(() => abort('SIGTERM'))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => abort(signal))

try {
  await prepare()
  for (const stage of stages) {
    running = await Promise.all(stage.map(startRun))
    const results = await Promise.all(running.map(({ finished }) => finished))
    if (isOver) break
    for (const result of results) {
      counts.passed += result.passed
      counts.failed += result.failed
      counts.skipped += result.skipped
      failures.push(...result.failures)
    }
  }
  if (!isOver && counts.passed + counts.failed + counts.skipped === 0) {
    console.error(`No test matches ${patterns.join(' ') || 'at all'}.`)
    counts.failed = 1
  }
} catch (error) {
  console.error(error)
  counts.failed += 1
}
if (!isOver) finish()

/** @param {{projects: string[], workers: number, isBackground?: boolean}} run */
function startRun({ projects, workers, isBackground }) {
  const outputFile = join(folder, `${projects[0]}.json`)
  const testTimeoutMs = projects.includes('int') ? undefined : PRODUCT_TIMEOUT_MS
  return runJest({ root, projects, workers, isBackground, testTimeoutMs, patterns, outputFile })
}

function finish() {
  isOver = true
  rmSync(folder, { recursive: true, force: true })
  for (const failure of failures) console.log(`failed: ${failure}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

/** An aborted run counts as failed. @param {NodeJS.Signals} signal */
function abort(signal) {
  if (isOver) return
  for (const run of running) run.kill(signal)
  counts.failed += 1
  finish()
}
