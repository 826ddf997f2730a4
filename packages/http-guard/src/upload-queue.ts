import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { Counts } from '@partsbus/platform/async/counts'
import { addressKey } from '@partsbus/platform/net/address-key'

export interface UploadQueueLimits {
  /** uploads that are received and stored at once; each holds up to 7 MiB in memory when it goes through the bus */
  active: number
  /** uploads that have been arriving for longer than `slowAfterMs`; each holds up to 1 MiB in memory */
  slow: number
  waiting: number
  /** ms */
  slowAfterMs: number
  /** ms */
  maxWaitMs: number
}

interface Upload {
  request: IncomingMessage
  /** whose share it uses: a client address */
  caller: string
  abort: AbortController
  isSlow: boolean
  /** of the last `slowAfterMs`, in bytes a second; above all others while the gateway itself does not read */
  rate: number
  /** bytes of its connection, when it came and at the last measurement */
  from: number
  received: number
}

interface Waiting {
  upload: Upload
  proceed: () => void
}

/** While all places are taken, an upload below this rate gives way to one that waits. */
const SLOW_BYTES_PER_SECOND = 64 * 1024

/*
 * States of an upload: waiting → active → (slow →) finished. The body of a waiting upload is not read, so it waits in
 * the client. An upload that takes long to arrive counts as slow, and while there is room among the slow ones it holds
 * none of the active places. Beyond that, the slowest of the caller with most gives way to one of a caller with fewer,
 * or to one that is smaller than what is left of it: uploads of a kind do not drive each other out, or none would end.
 * The next upload is that of the caller with the fewest: whoever holds places, others get theirs (rules.md#overload).
 */
export class UploadQueue {
  private readonly limits: UploadQueueLimits
  private readonly waiting: Waiting[] = []
  private readonly uploads = new Set<Upload>()
  /** of these, by caller */
  private readonly held = new Counts()

  constructor(limits: UploadQueueLimits) {
    this.limits = limits
  }

  /**
   * Does the work in its turn.
   * @param work rejects with the reason of the signal
   * @throws AppError OVERLOADED when too many wait, when its turn did not come in time, or when it gave way
   */
  async run<Result>(
    { raw, address }: { raw: IncomingMessage; address: string | undefined },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const abort = new AbortController()
    const { bytesRead } = raw.socket
    const progress = { isSlow: false, rate: 0, from: bytesRead, received: bytesRead }
    const upload: Upload = { request: raw, caller: addressKey(address), abort, ...progress }
    await this.enter(upload)
    upload.received = raw.socket.bytesRead
    const timer = setInterval(() => this.measure(upload), this.limits.slowAfterMs).unref()
    try {
      return await work(abort.signal)
    } finally {
      clearInterval(timer)
      this.remove(upload)
      this.advance()
    }
  }

  private async enter(upload: Upload): Promise<void> {
    if (!this.isFull()) this.add(upload)
    else if (this.waiting.length >= this.limits.waiting) throw overloaded()
    else await this.awaitTurn(upload)
  }

  private awaitTurn(upload: Upload): Promise<void> {
    const { socket } = upload.request
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        socket.off('close', giveUp)
        this.waiting.splice(this.waiting.indexOf(entry), 1)
      }
      const proceed = (): void => {
        stop()
        this.add(upload)
        resolve()
      }
      const giveUp = (): void => {
        stop()
        reject(overloaded())
      }
      const entry: Waiting = { upload, proceed }
      const timer = setTimeout(giveUp, this.limits.maxWaitMs)
      socket.once('close', giveUp)
      this.waiting.push(entry)
      this.advance()
    })
  }

  private measure(upload: Upload): void {
    const { request } = upload
    const { bytesRead } = request.socket
    if (!request.complete) upload.isSlow = true
    upload.rate = request.isPaused() ? Infinity : ((bytesRead - upload.received) * 1_000) / this.limits.slowAfterMs
    upload.received = bytesRead
    this.advance()
  }

  private slowCount(): number {
    return [...this.uploads].filter(({ isSlow }) => isSlow).length
  }

  private isFull(): boolean {
    return this.uploads.size - Math.min(this.slowCount(), this.limits.slow) >= this.limits.active
  }

  private advance(): void {
    while (this.waiting.length > 0) {
      const next = this.isFull() ? this.makeRoom() : least(this.waiting, ({ upload }) => this.held.of(upload.caller))
      if (!next) return
      next.proceed()
    }
  }

  /** @returns what an upload gave way to. One of the slow that have room would not give its place to an active one. */
  private makeRoom(): Waiting | undefined {
    if (this.slowCount() <= this.limits.slow) return undefined
    const slow = [...this.uploads].filter(
      ({ request, isSlow, rate }) => isSlow && !request.complete && rate < SLOW_BYTES_PER_SECOND,
    )
    const yields = (upload: Upload, next: Upload): boolean => {
      const fewer = this.held.of(upload.caller) - this.held.of(next.caller)
      return fewer > 1 || (fewer >= 0 && bytesLeft(next) < bytesLeft(upload))
    }
    const next = least(
      this.waiting.filter(({ upload }) => slow.some((each) => yields(each, upload))),
      ({ upload }) => this.held.of(upload.caller),
    )
    if (!next) return undefined
    const yielding = slow.filter((upload) => yields(upload, next.upload))
    const most = Math.max(...yielding.map(({ caller }) => this.held.of(caller)))
    const slowest = least(
      yielding.filter(({ caller }) => this.held.of(caller) === most),
      ({ rate }) => rate,
    )
    if (!slowest) return undefined
    this.remove(slowest)
    slowest.abort.abort(overloaded())
    return next
  }

  private add(upload: Upload): void {
    this.uploads.add(upload)
    this.held.add(upload.caller)
  }

  private remove(upload: Upload): void {
    if (this.uploads.delete(upload)) this.held.add(upload.caller, -1)
  }
}

/** Of what it announced; of one that announced nothing it is not known. */
function bytesLeft({ request, from, received }: Upload): number {
  return Number(request.headers['content-length'] ?? Infinity) - (received - from)
}

/** The first of those with the least value. */
function least<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  let found: Item | undefined
  let lowest = Infinity
  for (const item of items) {
    const value = valueOf(item)
    if (found !== undefined && value >= lowest) continue
    lowest = value
    found = item
  }
  return found
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', texts.unavailable)
}
