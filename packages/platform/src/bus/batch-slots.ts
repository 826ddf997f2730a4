import { AppError, texts } from '@partsbus/contracts/errors'

interface Waiting {
  since: number
  /** the caller waits no longer */
  until: number
  start: () => void
  refuse: () => void
}

/**
 * Limits the batches that a process works on at a time, so that they never occupy every connection of its pool: reads
 * would otherwise wait behind all batches that came before, from however many gateways. The others wait here, in order
 * of arrival; one whose caller has given up is not started.
 */
export class BatchSlots {
  private readonly waiting: Waiting[] = []
  private free: number

  constructor(count: number) {
    this.free = count
  }

  /**
   * @param until when the caller stops waiting
   * @param work may end its turn before it ends itself
   * @throws AppError OVERLOADED when it has stopped waiting before its turn
   */
  async run<T>(until: number, work: (endTurn: () => void) => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1
    else await this.awaitTurn(until)
    let isOver = false
    const endTurn = (): void => {
      if (!isOver) this.startNext()
      isOver = true
    }
    try {
      return await work(endTurn)
    } finally {
      endTurn()
    }
  }

  /** How long the first batch has been waiting, in ms. */
  delay(now = performance.now()): number {
    const [first] = this.waiting
    return first ? now - first.since : 0
  }

  private awaitTurn(until: number): Promise<void> {
    return new Promise((start, reject) => {
      const refuse = (): void => reject(new AppError('OVERLOADED', texts.unavailable))
      this.waiting.push({ since: performance.now(), until, start, refuse })
    })
  }

  private startNext(now = performance.now()): void {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (now < next.until) return next.start()
      next.refuse()
    }
    this.free += 1
  }
}
