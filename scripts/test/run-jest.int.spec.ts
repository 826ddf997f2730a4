import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root as checkout } from '../prepare.mjs'
import { runJest } from './run-jest.mjs'

const environment = {
  runtime: join(import.meta.dirname, 'native-packages-runtime.mjs'),
  testEnvironment: join(import.meta.dirname, 'leak-checking-environment.mjs'),
  testEnvironmentOptions: { leakDeadlineMs: 500, blockedMs: 3_000 },
}

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'partsbus-jest-'))
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'package.json'), '{"type":"commonjs"}')
  writeFileSync(
    join(root, 'jest.config.js'),
    `module.exports = ${JSON.stringify({
      maxWorkers: 2,
      projects: [{ displayName: 'unit', testMatch: ['<rootDir>/*.spec.js'], ...environment }],
    })}`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const run = async (specs: string[], workers = 1) => {
  for (const [at, text] of specs.entries()) writeFileSync(join(root, `${at}.spec.js`), text)
  const outputFile = join(root, 'report.json')
  // silent: the run that this spec belongs to reads the same messages on its own stderr
  const print = () => undefined
  const jest = await runJest({
    root,
    projects: ['unit'],
    workers,
    patterns: [],
    outputFile,
    exitDeadlineMs: 500,
    print,
  })
  return jest.finished
}
const PASSES = `it('passes', () => {})\n`
const LEAKS = `it('leaks', () => void require('node:net').createServer().listen(0, '127.0.0.1'))\n`

it('counts passed, failed and skipped tests, and names those that failed', async () => {
  const specs = [`${PASSES}it('fails', () => { throw new Error('x') })\nit.skip('is skipped', () => {})\n`]
  const failures = [expect.stringMatching(/^0\.spec\.js › fails: Error: x at /)]
  expect(await run(specs)).toEqual({ passed: 1, failed: 1, skipped: 1, failures })
})

it('counts and names a spec file that cannot be loaded as one failed test', async () => {
  const failures = [expect.stringMatching(/^0\.spec\.js: .*failed to run/)]
  expect(await run(['const a = ', PASSES])).toEqual({ passed: 1, failed: 1, skipped: 0, failures })
})

it.each([
  // the second failure: Jest itself cannot exit
  ['in one process', 1, 2],
  ['in worker processes', 2, 1],
])('counts a spec file that leaves a server open as failed, %s', async (_where, workers, failed) => {
  expect(await run([PASSES + LEAKS, PASSES], workers)).toMatchObject({
    passed: 1,
    failed,
    skipped: 0,
    failures: { length: failed },
  })
})

it.each([
  ['in one process', 1, 0],
  ['in worker processes, and runs the others', 2, 2],
])('ends a spec file that blocks its event loop for good, %s', async (_where, workers, passed) => {
  const blocks = `it('blocks', async () => { for (;;) await Promise.reject(new Error('x')).catch(() => undefined) })\n`
  expect(await run([blocks, PASSES, PASSES], workers)).toMatchObject({
    passed,
    failed: 1,
    skipped: 0,
    failures: { length: 1 },
  })
})

it('gives each spec file a process as the one before has found it', async () => {
  const spec = `it('finds no change, and leaves some', () => {
    const found = [process.env.X, process.exitCode, process.listenerCount('SIGUSR2'), globalThis[Symbol.for('x')]]
    expect([...found, typeof fetch, Math.random() < 1]).toEqual([undefined, undefined, 0, undefined, 'function', true])
    process.env.X = 'x'
    process.exitCode = 3
    process.on('SIGUSR2', () => undefined)
    globalThis[Symbol.for('x')] = 'x'
    globalThis.fetch = undefined
    jest.spyOn(Math, 'random').mockReturnValue(2)
  })
`
  expect(await run([spec, spec])).toEqual({ passed: 2, failed: 0, skipped: 0, failures: [] })
})
