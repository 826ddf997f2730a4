import { setTimeout as sleep } from 'node:timers/promises'

const COLLECT_MS = 15
const MAX_BATCH = 200

/** Collects values for a few milliseconds and writes them together: 1,000 sets do not cost 1,000 round trips. */
export class Batcher<T> {
  private readonly flush: (batch: T[]) => Promise<void>
  private pending: Array<{ value: T; resolve: () => void; reject: (error: unknown) => void }> = []
  private isFlushing = false

  constructor(flush: (batch: T[]) => Promise<void>) {
    this.flush = flush
  }

  /** Ends when the value is written. @throws the error of its batch */
  add(value: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({ value, resolve, reject })
      if (!this.isFlushing) void this.flushAll()
    })
  }

  private async flushAll(): Promise<void> {
    this.isFlushing = true
    while (this.pending.length > 0) {
      await sleep(COLLECT_MS)
      const batch = this.pending.splice(0, MAX_BATCH)
      try {
        await this.flush(batch.map(({ value }) => value))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.isFlushing = false
  }
}
