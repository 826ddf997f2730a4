import type { Collection } from 'mongodb'
import { isDuplicateKey } from './mongo-error.js'

interface CounterDocument {
  _id: string
  value: number
}

/** Integer ids: unique, never used again, with gaps. One document per kind of thing. */
export class CounterStore {
  private readonly counters: Collection<CounterDocument>

  constructor(counters: Collection<CounterDocument>) {
    this.counters = counters
  }

  /** Takes `count` numbers at once. @returns the first one */
  async take(name: string, count: number): Promise<number> {
    for (;;) {
      const counter = await this.counters.findOneAndUpdate({ _id: name }, { $inc: { value: count } }, { returnDocument: 'after' })
      if (counter) return counter.value - count + 1
      // not an upsert: where two meet at the first number, FerretDB gives both of them the same one
      await this.counters.insertOne({ _id: name, value: 0 }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
    }
  }
}
