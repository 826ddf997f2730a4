import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/errors'

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

/*
 * States of an upload: waiting → active → (slow →) finished. The body of a waiting upload is not read, so it waits in
 * the client. An upload that takes long to arrive moves to the slow ones while there is room, and the next waiting
 * upload becomes active: clients with slow lines do not block the others.
 */
export class UploadQueue {
  private readonly limits: UploadQueueLimits
  private readonly waiting: Array<() => void> = []
  private active = 0
  private slow = 0

  constructor(limits: UploadQueueLimits) {
    this.limits = limits
  }

  /**
   * Does the work in its turn. @throws AppError OVERLOADED when too many wait, or when its turn did not come in time
   */
  async run<Result>(request: IncomingMessage, work: () => Promise<Result>): Promise<Result> {
    await this.enter(request)
    let isSlow = false
    const timer = setTimeout(() => {
      if (request.complete || this.slow >= this.limits.slow) return
      isSlow = true
      this.slow += 1
      this.leave()
    }, this.limits.slowAfterMs).unref()
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      if (isSlow) this.slow -= 1
      else this.leave()
    }
  }

  private async enter(request: IncomingMessage): Promise<void> {
    if (this.active >= this.limits.active) {
      if (this.waiting.length >= this.limits.waiting) throw overloaded()
      await this.awaitTurn(request)
    } else this.active += 1
  }

  private awaitTurn(request: IncomingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        request.socket.off('close', giveUp)
      }
      const proceed = (): void => {
        stop()
        this.active += 1
        resolve()
      }
      const giveUp = (): void => {
        stop()
        this.waiting.splice(this.waiting.indexOf(proceed), 1)
        reject(overloaded())
      }
      const timer = setTimeout(giveUp, this.limits.maxWaitMs)
      request.socket.once('close', giveUp)
      this.waiting.push(proceed)
    })
  }

  private leave(): void {
    this.active -= 1
    this.waiting.shift()?.()
  }
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', texts.unavailable)
}
