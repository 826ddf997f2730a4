import type { Collection } from 'mongodb'
import { isDuplicateKey } from './errors.js'

interface CounterDocument {
  _id: string
  value: number
}

interface Waiting {
  count: number
  take(first: number): void
  fail(error: unknown): void
}

/** Integer ids: unique, never used again, with gaps. One document per kind of thing. */
export class CounterStore {
  private readonly counters: Collection<CounterDocument>
  /** who asked for a name's numbers while they were being taken for others: one step of the database serves them all */
  private readonly waiting = new Map<string, Waiting[]>()

  constructor(counters: Collection<CounterDocument>) {
    this.counters = counters
  }

  /** The last number that was taken; 0 when none was. */
  async last(name: string): Promise<number> {
    return (await this.counters.findOne({ _id: name }))?.value ?? 0
  }

  /** Takes `count` numbers at once. @returns the first one */
  take(name: string, count: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const one = { count, take: resolve, fail: reject }
      const queue = this.waiting.get(name)
      if (queue) {
        queue.push(one)
        return
      }
      this.waiting.set(name, [])
      void this.serve(name, [one])
    })
  }

  private async serve(name: string, callers: Waiting[]): Promise<void> {
    for (let turn = callers; turn.length > 0; turn = this.waiting.get(name)?.splice(0) ?? []) {
      try {
        let first = await this.raise(
          name,
          turn.reduce((sum, { count }) => sum + count, 0),
        )
        for (const { count, take } of turn) {
          take(first)
          first += count
        }
      } catch (error) {
        for (const { fail } of turn) fail(error)
      }
    }
    this.waiting.delete(name)
  }

  private async raise(name: string, count: number): Promise<number> {
    for (;;) {
      const counter = await this.counters.findOneAndUpdate(
        { _id: name },
        { $inc: { value: count } },
        { returnDocument: 'after' },
      )
      if (counter) return counter.value - count + 1
      // not an upsert: where two meet at the first number, FerretDB gives both of them the same one
      await this.counters.insertOne({ _id: name, value: 0 }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
    }
  }
}
