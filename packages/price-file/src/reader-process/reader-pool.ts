import { fileExtension } from '../file-kind.js'
import { ReaderProcess } from './reader-process.js'

/** Larger files take longer than the start of a process. */
const MAX_BYTES = 1024 * 1024
/** Resident memory; a reader that has read small files has 60 to 80 MB. */
const MAX_IDLE_MB = 96
/** Files that one process checks or reads. */
const MAX_FILES = 500
const IDLE_MS = 60_000

interface PoolOptions {
  /** path of the script of the child processes */
  script: string
  /** callers that have a reader at a time; also the greatest number of processes */
  maxReaders: number
  /** memory limit of each process */
  memoryMb?: number | undefined
  /** files that one process checks or reads */
  maxFiles?: number
  /** after which an idle process is ended */
  idleMs?: number
}

/** A process, and how many files it has read. */
interface Spare<Request extends object, Response extends { answer: string }> {
  process: ReaderProcess<Request, Response>
  files: number
}

/*
 * The reader processes of a service. Starting one takes far longer than a small file, so a process that has read one
 * without an error stays idle, and reads the next one. There is at most one such process; all other files have a
 * process of their own.
 * A process: started → reading → (idle → reading)* → ended. Only a success leads to idle. It is ended after an error, a
 * limit or a time-out, after a large file, after `maxFiles`, with more than `MAX_IDLE_MB`, and after `idleMs`.
 */
export class ReaderPool<Request extends object, Response extends { answer: string }> {
  private idle: Spare<Request, Response> | undefined
  private idleTimer: NodeJS.Timeout | undefined
  /** the end of a process that was idle */
  private ending: Promise<void> | undefined
  private readers = 0
  private isClosed = false

  constructor(private readonly options: PoolOptions) {}

  /** @throws the error of the file system when the folder of a process cannot be created */
  async open(fileName: string, bytes: number): Promise<PooledReader<Request, Response>> {
    const isSmall = bytes <= MAX_BYTES && isReadByOwnCode(fileName)
    this.readers += 1
    try {
      const spare = (isSmall && this.takeIdle()) || { process: await this.start(), files: 0 }
      return new PooledReader(this, spare, isSmall)
    } catch (error) {
      this.readers -= 1
      throw error
    }
  }

  /** Ends the idle process. The others are ended by those who use them. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.endIdle()
  }

  /** A new process for a reader that has been opened. */
  async start(): Promise<ReaderProcess<Request, Response>> {
    const { script, maxReaders, memoryMb } = this.options
    if (this.readers >= maxReaders) await this.endIdle()
    return ReaderProcess.open<Request, Response>(script, memoryMb)
  }

  /** Closes a reader. @param isReusable whether its process may read another file */
  async release({ process, files }: Spare<Request, Response>, isReusable: boolean): Promise<void> {
    const isFresh = files < (this.options.maxFiles ?? MAX_FILES)
    const canStay = isReusable && isFresh && !this.isClosed && !this.idle && (await isReset(process))
    // the next file must find most of the limit free
    const mostMb = Math.min(MAX_IDLE_MB, (this.options.memoryMb ?? Infinity) / 2)
    if (canStay && !this.idle && !this.isClosed && process.memoryMb <= mostMb) {
      this.readers -= 1
      this.keepIdle({ process, files })
      return
    }
    try {
      await process.close()
    } finally {
      this.readers -= 1
    }
  }

  private keepIdle(spare: Spare<Request, Response>): void {
    const { process } = spare
    process.becomeIdle()
    this.idle = spare
    const end = (): void => {
      // a folder that cannot be removed now is removed when the service starts again
      if (this.idle === spare) this.endIdle().catch(() => undefined)
    }
    this.idleTimer = setTimeout(end, this.options.idleMs ?? IDLE_MS).unref()
    void process.exited.then(end)
  }

  private takeIdle(): Spare<Request, Response> | undefined {
    const { idle } = this
    if (!idle || idle.process.hasEnded) return undefined
    this.idle = undefined
    clearTimeout(this.idleTimer)
    idle.process.becomeActive()
    return idle
  }

  private async endIdle(): Promise<void> {
    const { idle } = this
    this.idle = undefined
    clearTimeout(this.idleTimer)
    if (idle) {
      this.ending = idle.process.close().finally(() => {
        this.ending = undefined
      })
    }
    await this.ending
  }
}

/** The reader of one file. It passes requests to its process. */
export class PooledReader<Request extends object, Response extends { answer: string }> {
  private isNew: boolean
  private hasAnswered = false
  private hasFailed = false
  private isFinished = false
  private isClosed = false
  private path: string | undefined

  /** @param isSmall whether the process may have read, and may read, other files */
  constructor(
    private readonly pool: ReaderPool<Request, Response>,
    private readonly spare: Spare<Request, Response>,
    private readonly isSmall: boolean,
  ) {
    this.isNew = spare.files === 0
    spare.files += 1
  }

  /** The private folder of the process. It may be another one after the first response. */
  get folder(): string {
    return this.spare.process.folder
  }

  /** Names the file, before the first request. @throws the error of the file system */
  async take(path: string): Promise<void> {
    this.path = path
    await this.spare.process.take(path)
  }

  /** @throws as {@link ReaderProcess.request} */
  async request(request: Request, withinMs?: number): Promise<Response> {
    // its process may be reading another file
    if (this.isClosed) throw new Error('The reader was closed.')
    try {
      const response = await this.spare.process.request(request, withinMs)
      this.hasAnswered = true
      return response
    } catch (error) {
      if (!this.isReplaceable()) {
        this.hasFailed = true
        throw error
      }
    }
    await this.replaceProcess()
    return this.request(request, withinMs)
  }

  /**
   * The file was read to its end without an error.
   * @param isOwnCode whether no code of others parsed it, which may remember something
   */
  finish(unpackedBytes: number, isOwnCode = true): void {
    this.isFinished = isOwnCode && unpackedBytes <= MAX_BYTES
  }

  /** Ends the process, also in the middle of a request, unless it can read another file. */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    const { process } = this.spare
    const isReusable = this.isSmall && this.isFinished && !this.hasFailed && !process.isWorking && !process.hasEnded
    await this.pool.release(this.spare, isReusable)
  }

  /** Whether the process died, maybe while it was idle, before it answered anything about this file. */
  private isReplaceable(): boolean {
    return !this.isNew && !this.hasAnswered && !this.isClosed && this.spare.process.endedByItself
  }

  private async replaceProcess(): Promise<void> {
    const dead = this.spare.process
    this.isNew = true
    const process = await this.pool.start()
    this.spare.process = process
    this.spare.files = 1
    await dead.close()
    // closed while the process was started
    if (this.isClosed) await process.close()
    else if (this.path !== undefined) await process.take(this.path)
  }
}

/** The libraries that read RAR and XLS keep state in their modules. */
function isReadByOwnCode(fileName: string): boolean {
  const extension = fileExtension(fileName)
  return extension !== 'rar' && extension !== 'xls'
}

function isReset(process: { reset(): Promise<void> }): Promise<boolean> {
  return process.reset().then(
    () => true,
    () => false,
  )
}
