import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PriceFileError, ReaderUnavailable } from '../price-file-error.js'
import { type FailedResponse, inputPath, type ResetRequest } from './child-protocol.js'
import { permissions } from './permissions.js'

/** Limit of resident memory if the caller sets none. */
const MEMORY_MB = 512

const WATCH_MS = 50
const START_MS = 20_000
const RESET_MS = 5_000
const PAGE_BYTES = 4_096

/** Time to read a file: 20 s, and 10 s for each 10 MB of it, unpacked. Real lists take a hundredth of that. */
export function readingLimitMs(unpackedBytes: number): number {
  return 20_000 + Math.ceil(unpackedBytes / 10_000_000) * 10_000
}

interface Waiting<Response> {
  done: (response: Response | FailedResponse) => void
  fail: (error: Error) => void
}

/*
 * A child process that reads untrusted bytes: a crash, an endless loop or a decompression bomb affects the child only.
 * Starting → started → (request → response)* → (idle → (request → response)*)* → ended. It ends by `close`, by its own
 * death, or when it exceeds a limit; then pending and later requests fail with the reason.
 */
export class ReaderProcess<Request extends object, Response extends { answer: string }> {
  /** empty, private, removed by `close` */
  readonly folder: string
  private readonly child: ChildProcess
  private readonly waiting: Array<Waiting<Response>> = []
  private readonly maxMemoryMb: number
  private watch: NodeJS.Timeout | undefined
  /** resolves when the child has exited, or was never spawned */
  readonly exited: Promise<void>
  private readonly started: Promise<void>
  private isStarted = false
  private ended: Error | undefined
  private hasDied = false

  /**
   * @param script path of the child's script, which calls `serveParent`
   * @throws the error of the file system when the folder cannot be created
   */
  static async open<Request extends object, Response extends { answer: string }>(
    script: string,
    maxMemoryMb = MEMORY_MB,
  ): Promise<ReaderProcess<Request, Response>> {
    return new ReaderProcess(script, await mkdtemp(join(tmpdir(), `price-file-${process.pid}-`)), maxMemoryMb)
  }

  private constructor(script: string, folder: string, maxMemoryMb: number) {
    this.folder = folder
    this.maxMemoryMb = maxMemoryMb
    this.child = fork(script, [folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [
        `--max-old-space-size=${Math.ceil(maxMemoryMb * 0.75)}`,
        '--max-semi-space-size=16',
        ...permissions(script, folder),
      ],
      env: { TZ: 'UTC', MALLOC_ARENA_MAX: '2' },
    })
    this.exited = new Promise((done) => {
      this.child.once('exit', () => done())
      // a process that was never spawned does not exit
      this.child.once('error', () => this.child.pid === undefined && done())
    })
    this.started = this.start()
    // a failed start also fails each request
    this.started.catch(() => undefined)
    this.watchMemory()
  }

  /** Whether it was closed, has died or exceeded a limit. */
  get hasEnded(): boolean {
    return this.ended !== undefined
  }

  /** Whether it ended although it was neither closed nor exceeded a limit. */
  get endedByItself(): boolean {
    return this.hasDied
  }

  get isWorking(): boolean {
    return this.waiting.length > 0
  }

  /** Resident memory in MB; 0 on systems without /proc. */
  get memoryMb(): number {
    return residentMb(this.child.pid)
  }

  private watchMemory(): void {
    this.watch = setInterval(() => {
      const { maxMemoryMb } = this
      if (this.memoryMb > maxMemoryMb)
        this.end(new PriceFileError('READER_KILLED', `The file needs more than ${maxMemoryMb} MB of memory to read.`))
    }, WATCH_MS).unref()
  }

  private async start(): Promise<void> {
    const timer = setTimeout(() => this.end(new ReaderUnavailable('The reader did not start in time.')), START_MS)
    try {
      await new Promise<void>((done, fail) => {
        this.child.on('message', (response: Response | FailedResponse) => {
          if (this.isStarted) return this.waiting.shift()?.done(response)
          this.isStarted = true
          done()
        })
        this.child.on('error', (error) => {
          this.end(new ReaderUnavailable('The reader could not be started.', { cause: error }))
          fail(this.ended ?? error)
        })
        this.child.on('exit', (_code, signal) => {
          this.hasDied = !this.hasEnded
          this.end(this.reasonOfExit(signal))
          fail(this.ended ?? new Error('unreachable'))
        })
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** A SIGKILL from outside means that the system is out of memory; other deaths are caused by the file. */
  private reasonOfExit(signal: NodeJS.Signals | null): Error {
    return this.isStarted && signal !== 'SIGKILL'
      ? new PriceFileError('READER_KILLED', 'The reader ended while it read the file.')
      : new ReaderUnavailable('The reader was ended by the system.', { wasReading: this.isStarted })
  }

  /**
   * @param withinMs time for the response, counted from the start of the child
   * @throws PriceFileError; TOO_SLOW or READER_KILLED end the process
   * @throws ReaderUnavailable when the file is not to blame
   */
  async request(request: Request | ResetRequest, withinMs?: number): Promise<Response> {
    await this.started
    let timer: NodeJS.Timeout | undefined
    try {
      const response = await new Promise<Response | FailedResponse>((done, fail) => {
        if (this.ended) return fail(this.ended)
        this.waiting.push({ done, fail })
        if (withinMs !== undefined) timer = setTimeout(() => this.end(tooSlow(withinMs)), withinMs)
        // sending fails only when the child has exited, which fails the request anyway
        this.child.send(request, () => undefined)
      })
      if (isFailed(response)) throw toError(response)
      return response
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Names the file that the child reads. It may read through this link, and make none itself.
   * @throws the error of the file system
   */
  async take(path: string): Promise<void> {
    await symlink(resolve(path), inputPath(this.folder))
  }

  /**
   * Makes the child forget its file, and empties its folder.
   * @throws as {@link request}, or the error of a file system call
   */
  async reset(): Promise<void> {
    await this.request({ request: 'reset' }, RESET_MS)
    for (const name of await readdir(this.folder)) await rm(join(this.folder, name), { recursive: true, force: true })
  }

  /** Stops watching the process, and lets this one exit before it. */
  becomeIdle(): void {
    clearInterval(this.watch)
    this.child.unref()
    this.child.channel?.unref()
  }

  /** The opposite of {@link becomeIdle}. */
  becomeActive(): void {
    if (this.ended) return
    this.watchMemory()
    this.child.ref()
    this.child.channel?.ref()
  }

  /** Kills the process, also in the middle of a request, and removes its folder. */
  async close(): Promise<void> {
    this.end(new Error('The reader was closed.'))
    // so that this process does not exit before the folder is removed
    this.child.ref()
    await this.exited
    await rm(this.folder, { recursive: true, force: true })
  }

  private end(reason: Error): void {
    if (this.ended) return
    this.ended = reason
    clearInterval(this.watch)
    for (const { fail } of this.waiting.splice(0)) fail(reason)
    this.child.kill('SIGKILL')
  }
}

function tooSlow(ms: number): PriceFileError {
  return new PriceFileError('TOO_SLOW', `The file took longer than ${ms / 1_000} seconds to read.`)
}

function isFailed(response: { answer: string }): response is FailedResponse {
  return response.answer === 'failed'
}

function toError({ problem, message, row }: FailedResponse): Error {
  return problem === 'UNAVAILABLE' ? new ReaderUnavailable(message) : new PriceFileError(problem, message, row)
}

/** Without /proc, only the heap is limited. */
function residentMb(pid: number | undefined): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return (pages * PAGE_BYTES) / 1024 ** 2
  } catch {
    return 0
  }
}
