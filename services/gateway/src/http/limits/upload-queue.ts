import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/errors'
import { addressKey } from '../../addresses/address-key.js'

export interface UploadQueueLimits {
  /** uploads that are received and stored at once; each holds up to 3 MiB in memory */
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
  /** bytes of its connection at the last measurement */
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
 * none of the active places. Beyond that, the slowest of the caller with most gives way. The next upload is that of the
 * caller with the fewest: whoever holds the places, others get theirs (rules.md#overload).
 */
export class UploadQueue {
  private readonly limits: UploadQueueLimits
  private readonly waiting: Waiting[] = []
  private readonly uploads = new Set<Upload>()

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
    const upload: Upload = { request: raw, caller: addressKey(address), abort, isSlow: false, rate: 0, received: 0 }
    await this.enter(upload)
    upload.received = raw.socket.bytesRead
    const timer = setInterval(() => this.measure(upload), this.limits.slowAfterMs).unref()
    try {
      return await work(abort.signal)
    } finally {
      clearInterval(timer)
      this.uploads.delete(upload)
      this.advance()
    }
  }

  private async enter(upload: Upload): Promise<void> {
    if (!this.isFull()) this.uploads.add(upload)
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
        this.uploads.add(upload)
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
      const held = this.countByCaller()
      if (!this.isFull()) least(this.waiting, ({ upload }) => held.get(upload.caller) ?? 0)?.proceed()
      else if (!this.giveWay(held)) return
    }
  }

  /** @returns whether an upload did. One among the slow that have room would not give its place to an active one. */
  private giveWay(held: ReadonlyMap<string, number>): boolean {
    if (this.slowCount() <= this.limits.slow) return false
    const slow = [...this.uploads].filter(
      ({ request, isSlow, rate }) => isSlow && !request.complete && rate < SLOW_BYTES_PER_SECOND,
    )
    const most = Math.max(...slow.map(({ caller }) => held.get(caller) ?? 0))
    const slowest = least(
      slow.filter(({ caller }) => held.get(caller) === most),
      ({ rate }) => rate,
    )
    if (!slowest) return false
    this.uploads.delete(slowest)
    slowest.abort.abort(overloaded())
    return true
  }

  private countByCaller(): Map<string, number> {
    const held = new Map<string, number>()
    for (const { caller } of this.uploads) held.set(caller, (held.get(caller) ?? 0) + 1)
    return held
  }
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
