import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PriceFileOptions, PriceFileRows } from '../open-price-file.js'
import { type PackedRows, unpacked } from '../packed-rows.js'
import { PriceFileError } from '../price-file-error.js'
import type { Answer, Order } from './cage-messages.js'

/** Bounds of the child process that reads a file. */
export interface CageLimits {
  /** resident memory of the child */
  maxMemoryMb: number
  /** time from opening to the last row */
  maxMs: number
}

export const defaultCage: CageLimits = { maxMemoryMb: 512, maxMs: 600_000 }

/** Rows that a child process reads. `close` ends it, whatever it is doing. */
export interface CagedRows extends PriceFileRows {
  close(): Promise<void>
}

// of the build, also where this file is run from its source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'cage', 'reader-child.js')
const WATCH_MS = 50
/** Blocks asked for before the first of them is worked on: neither process waits for the way between them. */
const BLOCKS_AHEAD = 4
const PAGE_BYTES = 4_096

/** Checks a file in a child process. @throws PriceFileError */
export async function checkCaged(path: string, fileName: string, maxUnpacked: number, limits: CageLimits = defaultCage): Promise<void> {
  const cage = await Cage.open(limits)
  try {
    await cage.ask({ order: 'check', path, fileName, folder: cage.folder, maxUnpacked })
  } finally {
    await cage.close()
  }
}

/**
 * Opens a file in a child process. The next blocks are read while one is worked on.
 * @throws PriceFileError as `openPriceFile`; CAGE when the child took too much time or memory, or died
 */
export async function openCaged(path: string, fileName: string, options: PriceFileOptions = {}, limits: CageLimits = defaultCage): Promise<CagedRows> {
  const cage = await Cage.open(limits)
  try {
    const opened = await cage.ask({ order: 'open', path, fileName, folder: cage.folder, options })
    if (opened.answer !== 'opened') throw new PriceFileError('CAGE', 'The reader gave no answer.')
    const { encoding, delimiter, sheet } = opened
    const packed = packedBlocks(cage)
    return { encoding, delimiter, sheet, packed, blocks: unpacked(packed), close: () => cage.close() }
  } catch (error) {
    await cage.close()
    throw error
  }
}

async function* packedBlocks(cage: Cage): AsyncGenerator<PackedRows> {
  const ask = (): Promise<Answer> => {
    const asked = cage.ask({ order: 'next' })
    // its failure is met when it is awaited, not before
    asked.catch(() => undefined)
    return asked
  }
  try {
    const ahead = Array.from({ length: BLOCKS_AHEAD }, ask)
    for (;;) {
      const got = await ahead.shift()
      cage.requireOpen()
      if (got?.answer !== 'block') return
      ahead.push(ask())
      yield got.block
    }
  } finally {
    await cage.close()
  }
}

/*
 * open → (ask → answer)* → closed. Too much time or memory, or a death of the child, fails what is asked and all that
 * is asked later.
 */
class Cage {
  readonly folder: string
  private readonly child: ChildProcess
  private readonly waiting: Array<{ done: (answer: Answer) => void; fail: (error: Error) => void }> = []
  private readonly timers: NodeJS.Timeout[] = []
  private ended: PriceFileError | undefined

  static async open(limits: CageLimits): Promise<Cage> {
    return new Cage(await mkdtemp(join(tmpdir(), `price-file-${process.pid}-`)), limits)
  }

  private constructor(folder: string, limits: CageLimits) {
    this.folder = folder
    this.child = fork(CHILD, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [`--max-old-space-size=${Math.ceil(limits.maxMemoryMb * 0.75)}`, '--max-semi-space-size=8'],
      env: { TZ: 'UTC' },
    })
    this.child.on('message', (answer: Answer) => this.waiting.shift()?.done(answer))
    this.child.on('error', () => this.end('The reader could not be started.'))
    this.child.on('exit', () => this.end('The reader ended while it read the file.'))
    this.timers.push(setTimeout(() => this.end(`The file took longer than ${limits.maxMs / 1_000} seconds to read.`), limits.maxMs))
    this.timers.push(setInterval(() => {
      if (memoryMb(this.child.pid) > limits.maxMemoryMb) this.end(`The file needs more than ${limits.maxMemoryMb} MB of memory to read.`)
    }, WATCH_MS))
    for (const timer of this.timers) timer.unref()
  }

  /** @throws PriceFileError */
  async ask(order: Order): Promise<Answer> {
    const answer = await new Promise<Answer>((done, fail) => {
      if (this.ended) return fail(this.ended)
      this.waiting.push({ done, fail })
      this.child.send(order, (error) => { if (error) this.end('The reader ended while it read the file.') })
    })
    if (answer.answer === 'failed') throw new PriceFileError(answer.problem, answer.message, answer.row)
    return answer
  }

  /** @throws PriceFileError when it has ended, also while blocks that came before are left */
  requireOpen(): void {
    if (this.ended) throw this.ended
  }

  async close(): Promise<void> {
    this.end('The reader was closed.')
    await rm(this.folder, { recursive: true, force: true })
  }

  private end(reason: string): void {
    if (this.ended) return
    this.ended = new PriceFileError('CAGE', reason)
    for (const timer of this.timers) clearTimeout(timer)
    for (const { fail } of this.waiting.splice(0)) fail(this.ended)
    this.child.kill('SIGKILL')
  }
}

/** Resident memory; 0 where the system does not tell, so that only the heap is bounded there. */
function memoryMb(pid: number | undefined): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * PAGE_BYTES) / 1024 ** 2
  } catch {
    return 0
  }
}
