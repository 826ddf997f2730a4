import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { type PooledReader, ReaderPool } from './reader-pool.js'

type Answer = { answer: string; pid: number; hasInput: boolean }
type TestPool = ReaderPool<{ request: string }, Answer>
type TestReader = PooledReader<{ request: string }, Answer>

const CHILD = `
import { existsSync } from 'node:fs'
let isDoomed = false
let memory
process.on('message', ({ request }) => {
  if (request === 'reset') return process.send({ answer: 'reset' })
  if (isDoomed || request === 'exit') process.exit(3)
  if (request === 'loop') for (;;);
  if (request === 'blame') return process.send({ answer: 'failed', problem: 'DAMAGED', message: 'bad' })
  if (request === 'fill') memory = Buffer.alloc(120_000_000, 1)
  if (request === 'doom') isDoomed = true
  process.send({ answer: 'done', pid: process.pid, hasInput: existsSync(process.argv[2] + '/input') })
})
process.send({ answer: 'started' })
`
const DEADLINE_MS = 60_000

let folder: string
let script: string
const pools: TestPool[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-pool-'))
  script = join(folder, 'child.mjs')
  writeFileSync(script, CHILD)
})
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))
afterAll(() => rmSync(folder, { recursive: true }))

function newPool(options: { maxReaders?: number; maxFiles?: number; idleMs?: number } = {}): TestPool {
  const pool: TestPool = new ReaderPool({ script, maxReaders: 6, ...options })
  pools.push(pool)
  return pool
}

/** @param use what is done with the reader before it is closed @returns the process of the file, and its folder */
async function read(
  pool: TestPool,
  use: (reader: TestReader) => unknown = (reader) => reader.finish(10),
  { name = 'p.xlsx', bytes = 10 } = {},
): Promise<{ pid: number; folder: string }> {
  const reader = await pool.open(name, bytes)
  try {
    await reader.take(script)
    const { pid, hasInput } = await reader.request({ request: 'answer' })
    expect(hasInput).toBe(true)
    await use(reader)
    return { pid, folder: reader.folder }
  } finally {
    await reader.close()
  }
}

async function until(isReached: () => boolean): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!isReached()) {
    if (performance.now() > deadline) throw new Error('the awaited state was not reached')
    await delay(5)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const handles = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap' || name === 'PipeWrap').length

describe('a pool of readers', () => {
  it('reads the next small file with the same process, which sees nothing of the one before', async () => {
    const pool = newPool()
    const first = await read(pool, (reader) => {
      writeFileSync(join(reader.folder, 'rows'), 'of the first file')
      reader.finish(1_048_576)
    })
    expect(readdirSync(first.folder)).toEqual([])
    expect(await read(pool, undefined, { name: 'p.zip', bytes: 1_048_576 })).toEqual(first)
  })

  it.each<[string, (reader: TestReader) => unknown, { name?: string; bytes?: number }?]>([
    ['was not read to its end', () => undefined],
    ['had an error', (reader) => refused(reader, 'blame')],
    ['took too long', (reader) => refused(reader, 'loop', 200)],
    ['made its process exit', (reader) => refused(reader, 'exit')],
    [
      'is still read',
      async (reader) => {
        reader.request({ request: 'loop' }).catch(() => undefined)
        await nextTurn()
        reader.finish(10)
      },
    ],
    ['unpacked to more than 1 MiB', (reader) => reader.finish(1_048_577)],
    ['is larger than 1 MiB', (reader) => reader.finish(10), { bytes: 1_048_577 }],
    ['was parsed by a library', (reader) => reader.finish(10, false)],
    ['is a RAR archive', (reader) => reader.finish(10), { name: 'p.rar' }],
    ['is an XLS workbook', (reader) => reader.finish(10), { name: 'p.XLS ' }],
    [
      'left its process with much memory',
      async (reader) => {
        await reader.request({ request: 'fill' })
        reader.finish(10)
      },
    ],
  ])('ends the process of a file that %s', async (_what, use, file = {}) => {
    const pool = newPool()
    const { pid, folder: left } = await read(pool, use, file)
    expect([isAlive(pid), existsSync(left)]).toEqual([false, false])
    expect((await read(pool)).pid).not.toBe(pid)
  })

  it('does not give the idle process to a large file or to one that a library parses', async () => {
    const pool = newPool()
    const { pid } = await read(pool)
    const finish = (reader: TestReader) => reader.finish(10)
    expect((await read(pool, finish, { bytes: 2_000_000 })).pid).not.toBe(pid)
    expect((await read(pool, finish, { name: 'p.xls' })).pid).not.toBe(pid)
    expect((await read(pool)).pid).toBe(pid)
  })

  it('has one process for each file that is read at the same time, and one idle process afterwards', async () => {
    const pool = newPool()
    const readers = [await pool.open('a.xlsx', 10), await pool.open('b.xlsx', 10)]
    const pids = await Promise.all(
      readers.map(async (reader) => {
        const { pid } = await reader.request({ request: 'answer' })
        reader.finish(10)
        return pid
      }),
    )
    expect(new Set(pids).size).toBe(2)
    await Promise.all(readers.map((reader) => reader.close()))
    expect(pids.map(isAlive).toSorted()).toEqual([false, true])
    expect(pids).toContain((await read(pool)).pid)
  })

  it('ends the idle process before it would have more processes than readers', async () => {
    const pool = newPool({ maxReaders: 1 })
    const { pid } = await read(pool)
    await read(pool, () => expect(isAlive(pid)).toBe(false), { bytes: 2_000_000 })
  })

  it('replaces a process after so many files', async () => {
    const pool = newPool({ maxFiles: 2 })
    const pids = [await read(pool), await read(pool), await read(pool)].map(({ pid }) => pid)
    expect([pids[1] === pids[0], pids[2] === pids[0]]).toEqual([true, false])
  })

  it('ends the idle process after a time, and its folder is deleted', async () => {
    const pool = newPool({ idleMs: 20 })
    const { pid, folder: left } = await read(pool)
    await until(() => !isAlive(pid) && !existsSync(left))
  })

  it('has ended the idle process when close returns, and leaves none idle later', async () => {
    const pool = newPool()
    const late = await pool.open('p.xlsx', 10)
    const { pid, folder: left } = await read(pool)
    await pool.close()
    expect([isAlive(pid), existsSync(left)]).toEqual([false, false])
    const answer = await late.request({ request: 'answer' })
    late.finish(10)
    await late.close()
    expect([isAlive(answer.pid), existsSync(late.folder)]).toEqual([false, false])
  })

  it('does not keep its own process running by an idle one', async () => {
    const before = handles()
    await read(newPool())
    expect(handles()).toBeLessThanOrEqual(before)
  })
})

describe('a process that dies while it is idle', () => {
  it('is noticed, and the next file gets another one', async () => {
    const pool = newPool()
    const { pid, folder: left } = await read(pool)
    process.kill(pid, 'SIGKILL')
    await until(() => !existsSync(left))
    expect((await read(pool)).pid).not.toBe(pid)
  })

  it('is replaced also when that shows only at the first request', async () => {
    const pool = newPool()
    const { pid } = await read(pool, async (reader) => {
      await reader.request({ request: 'doom' })
      reader.finish(10)
    })
    const next = await read(pool)
    expect([next.pid === pid, isAlive(pid)]).toEqual([false, false])
    expect(await read(pool)).toEqual(next)
  })

  it('is replaced once: a file that ends the next process too is to blame', async () => {
    const pool = newPool()
    await read(pool)
    const reader = await pool.open('p.xlsx', 10)
    await refused(reader, 'exit')
    await reader.close()
  })

  it('is not replaced after its first response', async () => {
    const pool = newPool()
    const { pid } = await read(pool)
    expect((await read(pool, (reader) => refused(reader, 'exit'))).pid).toBe(pid)
  })
})

async function refused(reader: TestReader, request: string, withinMs?: number): Promise<void> {
  await expect(reader.request({ request }, withinMs)).rejects.toMatchObject({ name: 'PriceFileError' })
  reader.finish(10)
}
