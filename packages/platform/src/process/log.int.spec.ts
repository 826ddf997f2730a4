import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { buildInfo } from './build-info.js'

/** Every write to it fails with ENOSPC. */
const FULL_DISK = '/dev/full'
const itWithDevice = existsSync(FULL_DISK) ? it : it.skip

const LOGGING = `
const { createLog } = await import(process.argv[1])
const log = createLog('test', 'info')
const line = 'x'.repeat(1_000)
const before = process.memoryUsage().rss
for (let turn = 0; turn < 40; turn++) {
  for (let i = 0; i < 1_000; i++) log.info(line)
  await new Promise((done) => setTimeout(done, 20))
}
process.stderr.write(String(Math.round((process.memoryUsage().rss - before) / 1024 / 1024)))
process.exitCode = 7
`

const LOGGING_IN_SCOPE = `
const { createLog } = await import(process.argv[1])
const { runInScope } = await import(process.argv[2])
const log = createLog('test', 'info')
runInScope({ requestId: 'request-1', api: 'erp' }, () => log.info('of a request'))
log.info('of none')
`

function logInto(file: string, script = LOGGING): { ended: Promise<[number | null, string]> } {
  const log = openSync(file, 'w')
  const modules = ['process/log.js', 'bus/call-scope.js'].map(
    (path) => new URL(`../../dist/${path}`, import.meta.url).href,
  )
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...modules], {
    stdio: ['ignore', log, 'pipe'],
    timeout: 20_000,
  })
  closeSync(log)
  let output = ''
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
  return { ended: once(child, 'close').then(([code]) => [code as number | null, output]) }
}

itWithDevice('survives a full disk under its log, without collecting lines, and ends', async () => {
  const [code, grownMebibytes] = await logInto(FULL_DISK).ended
  expect(code).toBe(7)
  expect(Number(grownMebibytes)).toBeLessThan(60)
})

it('writes every line, those before its exit included', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-log-'))
  const file = join(folder, 'log')
  expect((await logInto(file).ended)[0]).toBe(7)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const dropped = lines
    .map((line) => JSON.parse(line) as { lines?: number })
    .reduce((sum, { lines: lost = 0 }) => sum + lost, 0)
  expect([lines.filter((line) => line.includes('xxx')).length, dropped]).toEqual([40_000, 0])
  rmSync(folder, { recursive: true })
})

it('writes the service, its version, and the id and the API of the request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-log-'))
  const file = join(folder, 'log')
  expect((await logInto(file, LOGGING_IN_SCOPE).ended)[0]).toBe(0)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  rmSync(folder, { recursive: true })
  const fields = { service: 'test', version: buildInfo.version }
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ ...fields, msg: 'of a request', request_id: 'request-1', api: 'erp' }),
    expect.not.objectContaining({ request_id: expect.anything() }),
  ])
})
