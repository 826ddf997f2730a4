import type { CounterStore } from '@partsbus/platform/mongo/counter-store'

/** Numbers taken from the counter at once. A process that stops loses what is left of its block. */
const BLOCK = 10_000

/*
 * Ids for supplies that may turn out to be new. Which ones were is known only after the write, so a batch takes
 * an id for each item and gives back those that were not used; the counter is asked once per 10,000 new supplies.
 */
export class SupplyIds {
  private readonly counters: CounterStore
  private readonly free: number[] = []

  constructor(counters: CounterStore) {
    this.counters = counters
  }

  async take(count: number): Promise<number[]> {
    while (this.free.length < count) {
      const first = await this.counters.allocate('supplies', BLOCK)
      for (let id = first + BLOCK - 1; id >= first; id -= 1) this.free.push(id)
    }
    return this.free.splice(this.free.length - count).reverse()
  }

  /** Only ids that surely stand in no document. */
  giveBack(ids: readonly number[]): void {
    for (let at = ids.length - 1; at >= 0; at -= 1) this.free.push(ids[at] as number)
  }
}
