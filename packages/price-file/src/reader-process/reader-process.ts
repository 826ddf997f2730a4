import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PriceFileError, type PriceFileProblem } from '../price-file-error.js'

/** Bounds of the child process that reads a file. */
export interface ReaderLimits {
  /** resident memory of the child */
  maxMemoryMb: number
  /** time from opening to the last row */
  maxMs: number
}

export const defaultReaderLimits: ReaderLimits = { maxMemoryMb: 512, maxMs: 600_000 }

/** What any child answers when the file is to blame. */
export interface FailedAnswer {
  answer: 'failed'
  problem: PriceFileProblem
  message: string
  row?: number
}

const WATCH_MS = 50
const PAGE_BYTES = 4_096

/*
 * A child process that works on foreign bytes, where a crash, a loop or a bomb ends nobody but itself.
 * open → (ask → answer)* → closed. Too much time or memory, or a death of the child, fails what is asked and all that
 * is asked later.
 */
export class ReaderProcess<Order extends object, Answer extends { answer: string }> {
  /** empty, private, removed with the cage */
  readonly folder: string
  private readonly child: ChildProcess
  private readonly waiting: Array<{ done: (answer: Answer | FailedAnswer) => void; fail: (error: Error) => void }> = []
  private readonly watch: NodeJS.Timeout
  private clock: NodeJS.Timeout | undefined
  private ended: PriceFileError | undefined

  /** @param script of the child, which answers by `serveParent` */
  static async open<Order extends object, Answer extends { answer: string }>(
    script: string,
    limits: ReaderLimits,
  ): Promise<ReaderProcess<Order, Answer>> {
    return new ReaderProcess(script, await mkdtemp(join(tmpdir(), `price-file-${process.pid}-`)), limits)
  }

  private constructor(script: string, folder: string, limits: ReaderLimits) {
    this.folder = folder
    this.child = fork(script, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [`--max-old-space-size=${Math.ceil(limits.maxMemoryMb * 0.75)}`, '--max-semi-space-size=16'],
      env: { TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    })
    this.child.on('message', (answer: Answer | FailedAnswer) => this.waiting.shift()?.done(answer))
    this.child.on('error', () => this.end('The reader could not be started.'))
    this.child.on('exit', () => this.end('The reader ended while it read the file.'))
    this.watch = setInterval(() => {
      if (memoryMb(this.child.pid) > limits.maxMemoryMb)
        this.end(`The file needs more than ${limits.maxMemoryMb} MB of memory to read.`)
    }, WATCH_MS).unref()
    this.limitTime(limits.maxMs)
  }

  /** Bounds the time from now on, instead of the bound before. */
  limitTime(ms: number): void {
    clearTimeout(this.clock)
    if (!this.ended)
      this.clock = setTimeout(() => this.end(`The file took longer than ${ms / 1_000} seconds to read.`), ms).unref()
  }

  /** @throws PriceFileError */
  async ask(order: Order): Promise<Answer> {
    const answer = await new Promise<Answer | FailedAnswer>((done, fail) => {
      if (this.ended) return fail(this.ended)
      this.waiting.push({ done, fail })
      this.child.send(order, (error) => {
        if (error) this.end('The reader ended while it read the file.')
      })
    })
    if (isFailed(answer)) throw new PriceFileError(answer.problem, answer.message, answer.row)
    return answer
  }

  /** @throws PriceFileError when it has ended, also while answers that came before are left */
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
    clearTimeout(this.clock)
    clearInterval(this.watch)
    for (const { fail } of this.waiting.splice(0)) fail(this.ended)
    this.child.kill('SIGKILL')
  }
}

function isFailed(answer: { answer: string }): answer is FailedAnswer {
  return answer.answer === 'failed'
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
