import { setTimeout as sleep } from 'node:timers/promises'

/** Longest and largest gathering before a write. */
const GATHER_MS = 15
const AT_MOST = 200

/** Gathers what is to be written within a few milliseconds into one write, so that 1,000 sets do not cost 1,000 round trips. */
export class Batcher<T> {
  private readonly flush: (batch: T[]) => Promise<void>
  private waiting: Array<{ one: T; done: () => void; failed: (error: unknown) => void }> = []
  private flushing = false

  constructor(flush: (batch: T[]) => Promise<void>) {
    this.flush = flush
  }

  /** Ends when `one` is written. @throws what its batch's write threw */
  add(one: T): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ one, done, failed })
      if (!this.flushing) void this.run()
    })
  }

  private async run(): Promise<void> {
    this.flushing = true
    while (this.waiting.length > 0) {
      await sleep(GATHER_MS)
      const batch = this.waiting.splice(0, AT_MOST)
      try {
        await this.flush(batch.map(({ one }) => one))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.flushing = false
  }
}
