import { Injectable } from '@nestjs/common'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'

/** Ids that a process reserves at once; the rest of a block is lost when it stops. */
const BLOCK = 10_000

/**
 * Ids for supplies that may be new. Which ones were new is known only after the write, so a batch reserves an id
 * for each item and releases the unused ones; the counter is incremented once per 10,000 new supplies.
 */
@Injectable()
export class SupplyIds {
  private readonly free: number[] = []

  constructor(private readonly counters: CounterStore) {}

  /** Reserves only ids above the highest stored one. */
  startAbove(findHighest: () => Promise<number>): Promise<void> {
    return this.counters.startAbove('supplies', findHighest)
  }

  async reserve(count: number): Promise<number[]> {
    while (this.free.length < count) {
      const first = await this.counters.allocate('supplies', BLOCK)
      for (let id = first + BLOCK - 1; id >= first; id -= 1) this.free.push(id)
    }
    return this.free.splice(this.free.length - count).reverse()
  }

  /** @param ids only ids that are certainly in no document */
  release(ids: readonly number[]): void {
    for (let index = ids.length - 1; index >= 0; index -= 1) this.free.push(ids[index] as number)
  }
}
