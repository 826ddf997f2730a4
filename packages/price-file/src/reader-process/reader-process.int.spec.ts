import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inputPath } from './child-protocol.js'
import { ReaderProcess, readingLimitMs } from './reader-process.js'

type TestReader = ReaderProcess<{ do: string }, { answer: string; pid: number }>

const CHILD = `
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
const attempts = {
  read: (path) => statSync(path).isFile() ? readFileSync(path, 'utf8') : readdirSync(path).join(),
  write: (path) => writeFileSync(path, 'x'),
  link: (path) => symlinkSync('/etc/passwd', path),
  spawn: () => { const { error } = spawnSync('id'); if (error) throw error },
  thread: () => void new Worker('', { eval: true }),
}
const attempt = (what, path) => {
  try {
    return String(attempts[what](path))
  } catch (error) {
    return error.code
  }
}
process.on('message', async ({ do: what }) => {
  if (what === 'exit') process.exit(3)
  if (what === 'kill') process.kill(process.pid, 'SIGKILL')
  if (what === 'loop') for (;;);
  const [verb, path] = what.split(' ')
  if (attempts[verb]) return process.send({ answer: attempt(verb, path) })
  const kept = []
  if (what === 'fill') for (;;) { kept.push(Buffer.alloc(1e7, 1)); await new Promise((done) => setTimeout(done, 5)) }
  if (what === 'blame') return process.send({ answer: 'failed', problem: 'DAMAGED', message: 'bad', row: 2 })
  if (what === 'disk full') return process.send({ answer: 'failed', problem: 'UNAVAILABLE', message: 'full' })
  process.send({ answer: 'done', pid: process.pid })
})
process.send({ answer: 'started' })
`

let folder: string
let uploads: string
let script: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-reader-'))
  uploads = mkdtempSync(join(tmpdir(), 'partsbus-uploads-'))
  script = join(folder, 'child.mjs')
  writeFileSync(script, CHILD)
})
afterAll(() => [folder, uploads].forEach((path) => rmSync(path, { recursive: true })))

async function failureOf(what: string, { path = script, memoryMb = 400, withinMs = 20_000 } = {}): Promise<object> {
  const reader: TestReader = await ReaderProcess.open(path, memoryMb)
  try {
    return await reader.request({ do: what }, withinMs).then(
      () => ({}),
      ({ name, problem, message }: Error & { problem?: string }) => ({ name, problem, message }),
    )
  } finally {
    await reader.close()
  }
}
const blamed = (problem: string, message: unknown = expect.any(String)) => ({
  name: 'PriceFileError',
  problem,
  message,
})
const unavailable = { name: 'ReaderUnavailable', message: expect.any(String) }

describe('a reader process', () => {
  it('answers requests in their order', async () => {
    const reader: TestReader = await ReaderProcess.open(script)
    const [first, second] = await Promise.all([reader.request({ do: 'answer' }), reader.request({ do: 'answer' })])
    expect(first).toEqual(second)
    await reader.close()
  })

  it('blames the file for an error, a crash, too much memory and too much time', async () => {
    expect(await failureOf('blame')).toEqual(blamed('DAMAGED', 'bad'))
    expect(await failureOf('exit')).toEqual(blamed('READER_KILLED'))
    expect(await failureOf('fill', { memoryMb: 150 })).toEqual(
      blamed('READER_KILLED', 'The file needs more than 150 MB of memory to read.'),
    )
    expect(await failureOf('loop', { withinMs: 300 })).toEqual(
      blamed('TOO_SLOW', 'The file took longer than 0.3 seconds to read.'),
    )
  })

  it('does not blame the file when it cannot start, is killed by the system, or has no disk space', async () => {
    expect(await failureOf('answer', { path: join(folder, 'nothing.mjs') })).toMatchObject(unavailable)
    expect(await failureOf('kill')).toMatchObject(unavailable)
    expect(await failureOf('disk full')).toMatchObject(unavailable)
  })

  it('has exited and its folder is deleted when close returns', async () => {
    const reader: TestReader = await ReaderProcess.open(script)
    const { pid } = await reader.request({ do: 'answer' })
    reader.request({ do: 'loop' }).catch(() => undefined)
    await reader.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(existsSync(reader.folder)).toBe(false)
    await expect(reader.request({ do: 'answer' })).rejects.toThrow('The reader was closed.')
  })

  it.each(['x'.repeat(20), 'y'])('reads the file that it was given, wherever that is', async (text) => {
    const reader: TestReader = await ReaderProcess.open(script)
    const path = join(uploads, 'upload')
    writeFileSync(path, text)
    await reader.take(path)
    expect(await reader.request({ do: `read ${inputPath(reader.folder)}` })).toMatchObject({ answer: text })
    await reader.close()
    expect(existsSync(path)).toBe(true)
  })

  it.each([
    ['read another file', () => `read ${join(uploads, 'upload')}`],
    ['read the state of the machine', () => 'read /etc/passwd'],
    ['read what the service keeps', () => `read ${join(tmpdir(), '.')}`],
    ['write beside its folder', () => `write ${join(uploads, 'new')}`],
    ['make a link out of its folder', (own: string) => `link ${join(own, 'link')}`],
    ['start a process', () => 'spawn'],
    ['start a thread', () => 'thread'],
  ])('may not %s', async (_what, ask) => {
    writeFileSync(join(uploads, 'upload'), 'of another partner')
    const reader: TestReader = await ReaderProcess.open(script)
    const answer = await reader.request({ do: ask(reader.folder) })
    await reader.close()
    expect(answer).toMatchObject({ answer: 'ERR_ACCESS_DENIED' })
  })

  it('may take 20 seconds, and 10 more for each 10 MB', () => {
    expect([readingLimitMs(0), readingLimitMs(25_000), readingLimitMs(100_000_000)]).toEqual([20_000, 30_000, 120_000])
  })
})
