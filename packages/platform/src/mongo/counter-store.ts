import type { Collection } from 'mongodb'
import { isDuplicateKey } from './errors.js'

interface CounterDocument {
  _id: string
  value: number
}

interface PendingAllocation {
  count: number
  resolve(first: number): void
  reject(error: unknown): void
}

/** Integer ids: unique, never reused, with gaps. One document per kind of record. */
export class CounterStore {
  private readonly counters: Collection<CounterDocument>
  /** Allocations that arrived while an update of their counter was running; the next update serves them all. */
  private readonly pending = new Map<string, PendingAllocation[]>()

  constructor(counters: Collection<CounterDocument>) {
    this.counters = counters
  }

  /** The last allocated number; 0 when there is none. */
  async last(name: string): Promise<number> {
    return (await this.counters.findOne({ _id: name }))?.value ?? 0
  }

  /**
   * Makes sure that no number up to `minimum` is allocated again. A database restored from backups of different
   * moments may hold ids above its counter; every owner of a counter calls this at start with its highest stored id.
   */
  async raiseTo(name: string, minimum: number): Promise<void> {
    if (minimum <= 0) return
    await this.create(name)
    await this.counters.updateOne({ _id: name }, { $max: { value: minimum } })
  }

  /** Allocates `count` consecutive numbers. @returns the first one */
  allocate(name: string, count: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const allocation = { count, resolve, reject }
      const queue = this.pending.get(name)
      if (queue) {
        queue.push(allocation)
        return
      }
      this.pending.set(name, [])
      void this.serve(name, [allocation])
    })
  }

  private async serve(name: string, first: PendingAllocation[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.pending.get(name)?.splice(0) ?? []) {
      try {
        let next = await this.increment(
          name,
          batch.reduce((sum, { count }) => sum + count, 0),
        )
        for (const { count, resolve } of batch) {
          resolve(next)
          next += count
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.pending.delete(name)
  }

  /** @returns the first of the `count` numbers */
  private async increment(name: string, count: number): Promise<number> {
    for (;;) {
      const counter = await this.counters.findOneAndUpdate(
        { _id: name },
        { $inc: { value: count } },
        { returnDocument: 'after' },
      )
      if (counter) return counter.value - count + 1
      await this.create(name)
    }
  }

  /** Not an upsert: when two upserts race for a new counter, FerretDB gives both the same number. */
  private async create(name: string): Promise<void> {
    await this.counters.insertOne({ _id: name, value: 0 }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  }
}
