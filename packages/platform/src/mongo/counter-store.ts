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
 * Ids that are skipped whenever a counter was lost or is older than what is stored (rules.md#restored-ids): more than
 * all processes together have allocated and not stored yet, and more than were allocated between two backups.
 */
export const SKIPPED_IDS = 1_000_000

/**
 * Integer ids: unique, never reused, with gaps. One document per kind of record.
 *
 * No unique index on the ids is needed: when the document is lost, or replaced by an older one while a process runs,
 * the process notices that the numbers went back, and raises the counter far above what is stored before it allocates.
 */
export class CounterStore {
  private readonly counters: Collection<CounterDocument>
  /** The highest number of each counter that this process knows to be used. */
  private readonly used = new Map<string, number>()
  /** How to find the highest stored number of each counter. */
  private readonly highest = new Map<string, () => Promise<number>>()
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
   */
  async startAbove(name: string, findHighest: () => Promise<number>): Promise<void> {
    this.highest.set(name, findHighest)
    const highest = await findHighest()
    await this.raiseAbove(name, highest)
    // from now on a missing document is a lost one
    if (highest === 0) await this.create(name, 0)
  }

  /** Raises a counter that is behind a used number above all that may have been allocated since. */
  async raiseAbove(name: string, used: number): Promise<void> {
    // a counter is read after the number that it is compared with: it has been raised for every used one
    const last = await this.last(name)
    if (last < used) await this.raiseFarAbove(name, used)
    // not created here: the document may have been lost since, and processes hold numbers above the used one
    else this.note(name, last)
  }

  /** Raises a counter that may be behind, when nobody can tell how far. */
  async skip(name: string): Promise<void> {
    await this.raiseFarAbove(name, await this.last(name))
  }

  /** The document may have been lost, so what is stored, and what this process knows, counts as well. */
  private async raiseFarAbove(name: string, used = 0): Promise<void> {
    const stored = (await this.highest.get(name)?.()) ?? 0
    await this.raiseTo(name, Math.max(used, stored, this.lastUsed(name)) + SKIPPED_IDS)
  }

  private async raiseTo(name: string, minimum: number): Promise<void> {
    await this.create(name, minimum)
    await this.counters.updateOne({ _id: name }, { $max: { value: minimum } })
    this.note(name, minimum)
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
        { returnDocument: 'before' },
      )
      if (counter && counter.value >= this.lastUsed(name)) {
        this.note(name, counter.value + count)
        return counter.value + 1
      }
      // a counter that was never started may be new
      if (counter || this.highest.has(name) || this.lastUsed(name) > 0) await this.raiseFarAbove(name)
      else await this.create(name, 0)
    }
  }

  private note(name: string, used: number): void {
    this.used.set(name, Math.max(used, this.lastUsed(name)))
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
