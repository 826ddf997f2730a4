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

/**
 * Integer ids: unique, never reused, with gaps. One document per kind of record.
 *
 * No unique index on the ids is needed: when the document is lost, or replaced by an older one while a process runs,
 * the process notices that the numbers went back, and raises the counter above what is stored before it allocates.
 */
export class CounterStore {
  private readonly counters: Collection<CounterDocument>
  /** The highest number of each counter that this process knows to be used. */
  private readonly used = new Map<string, number>()
  /** How to find the highest stored number of each counter. */
  private readonly highest = new Map<string, () => Promise<number>>()
  /** How many numbers above that other processes may have allocated and not stored yet. */
  private readonly reserved = new Map<string, number>()
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
   * Allocates only numbers above the highest stored one, now and whenever the counter was lost. A database restored
   * from backups of different moments may hold ids above its counter, so the owner of the ids calls this at start.
   * @param reserved numbers that all processes together may have allocated and not stored yet
   */
  async startAbove(name: string, findHighest: () => Promise<number>, reserved = 0): Promise<void> {
    this.highest.set(name, findHighest)
    this.reserved.set(name, reserved)
    const highest = await findHighest()
    // read after it: numbers that are allocated in between raise it
    const isBehind = (await this.last(name)) < highest
    await this.raiseTo(name, isBehind ? highest + reserved : highest)
  }

  /** Makes sure that no number up to `minimum` is allocated again. */
  async raiseTo(name: string, minimum: number): Promise<void> {
    if (minimum <= 0) return
    await this.create(name, minimum)
    await this.counters.updateOne({ _id: name }, { $max: { value: minimum } })
    this.used.set(name, Math.max(minimum, this.lastUsed(name)))
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
      const first = counter ? counter.value - count + 1 : 0
      if (counter && first > this.lastUsed(name)) {
        this.used.set(name, counter.value)
        return first
      }
      const used = Math.max((await this.highest.get(name)?.()) ?? 0, this.lastUsed(name))
      const minimum = used > 0 ? used + (this.reserved.get(name) ?? 0) : 0
      if (counter) await this.raiseTo(name, minimum)
      else await this.create(name, minimum)
    }
  }

  private lastUsed(name: string): number {
    return this.used.get(name) ?? 0
  }

  /** Not an upsert: when two upserts race for a new counter, FerretDB gives both the same number. */
  private async create(name: string, value: number): Promise<void> {
    await this.counters.insertOne({ _id: name, value }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  }
}
