import { setTimeout as sleep } from 'node:timers/promises'
import { callingSpan, traceShared } from '../process/spans.js'

const COLLECT_MS = 15
const MAX_BATCH = 200

interface Pending<T> {
  value: T
  span: ReturnType<typeof callingSpan>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Collects values for a few milliseconds and writes them together: 1,000 documents do not cost 1,000 round trips. A
 * batch belongs to no request; its trace has a link to each of those that gave the values.
 */
export class Batcher<T> {
  private readonly name: string
  private readonly flush: (batch: T[]) => Promise<void>
  private pending: Array<Pending<T>> = []
  private isFlushing = false

  /** @param name of its span */
  constructor(name: string, flush: (batch: T[]) => Promise<void>) {
    this.name = name
    this.flush = flush
  }

  /** Ends when the value is written. @throws the error of its batch */
  add(value: T): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending.push({ value, span: callingSpan(), resolve, reject })
      if (!this.isFlushing) void this.flushAll()
    })
  }

  private async flushAll(): Promise<void> {
    this.isFlushing = true
    while (this.pending.length > 0) {
      await sleep(COLLECT_MS)
      const batch = this.pending.splice(0, MAX_BATCH)
      try {
        await traceShared(
          this.name,
          () => batch.map(({ span }) => span),
          () => this.flush(batch.map(({ value }) => value)),
        )
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.isFlushing = false
  }
}
