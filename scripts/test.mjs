// @ts-check
/**
 * `npm test`: installs, builds, starts one database and one bus, and runs every test against them: unit and integration
 * specs first, then the end-to-end flows one after another. `npm test -- services/stock` runs what matches the path.
 * The last line is `N passed, N failed, N skipped`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'
import { watchParent } from './start/watch-parent.mjs'
import { runJest } from './test/run-jest.mjs'

const patterns = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'partsbus-test-'))
const counts = { passed: 0, failed: 0, skipped: 0 }
/** @type {import('@partsbus/local-stack/start-stack').Stack | undefined} */
let stack
/** @type {import('./test/run-jest.mjs').JestRun | undefined} */
let running
let isOver = false

watchParent(() => void giveUp('SIGTERM'))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => void giveUp(signal))

try {
  prepare()
  const { startStack } = await import('@partsbus/local-stack/start-stack')
  stack = await startStack({ stateDir: join(folder, 'state'), log: (line) => console.log(line) })
  for (const project of ['source', 'e2e']) {
    running = await runJest({ root, project, patterns, stack, outputFile: join(folder, `${project}.json`) })
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
  console.error(error instanceof Error && error.name === 'StackUnavailable' ? error.message : error)
  counts.failed += 1
}
if (!isOver) await finish()

async function finish() {
  isOver = true
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

/** A run that was broken off is a failed one. @param {NodeJS.Signals} signal */
async function giveUp(signal) {
  if (isOver) return
  running?.kill(signal)
  counts.failed += 1
  await finish()
}
