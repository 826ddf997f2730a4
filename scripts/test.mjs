// @ts-check
/**
 * `npm test`: installs, builds and runs the unit and integration specs, then the end-to-end specs one after another.
 * `npm run test:long` (`--long`) runs the slow scenarios and the long end-to-end specs instead.
 * `npm test -- services/stock` runs the specs whose path matches. The last line is `N passed, N failed, N skipped`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { watchParent } from './start/watch-parent.mjs'
import { runJest } from './test/run-jest.mjs'

const isLong = process.argv[2] === '--long'
const patterns = process.argv.slice(isLong ? 3 : 2)
/** Specs that run against a product measure times: nothing runs beside them. */
const RUNS = isLong
  ? [
      { projects: ['slow-pages'], inBand: true },
      { projects: ['long'], inBand: true },
    ]
  : [
      { projects: ['unit', 'int'], inBand: false },
      { projects: ['contract'], inBand: true },
      { projects: ['pages'], inBand: true },
      { projects: ['e2e'], inBand: true },
    ]

const folder = mkdtempSync(join(tmpdir(), 'partsbus-test-run-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
/** @type {import('./test/run-jest.mjs').JestRun | undefined} */
let running
let isOver = false

watchParent(() => abort('SIGTERM'))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => abort(signal))

try {
  prepare()
  for (const { projects, inBand } of RUNS) {
    running = await runJest({ root, projects, inBand, patterns, outputFile: join(folder, `${projects[0]}.json`) })
    const result = await running.finished
    if (isOver) break
    counts.passed += result.passed
    counts.failed += result.failed
    counts.skipped += result.skipped
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

function finish() {
  isOver = true
  rmSync(folder, { recursive: true, force: true })
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

/** An aborted run counts as failed. @param {NodeJS.Signals} signal */
function abort(signal) {
  if (isOver) return
  running?.kill(signal)
  counts.failed += 1
  finish()
}
