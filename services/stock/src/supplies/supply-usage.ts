import { Injectable } from '@nestjs/common'
import type { Location } from './plan-supplies.js'
import { SupplyEvents } from './supply-events.js'
import { SupplyStore } from './supply-store.js'

/** Finds the supplies that refer to a storage or a pick-up point. */
@Injectable()
export class SupplyUsage {
  constructor(
    private readonly supplies: SupplyStore,
    private readonly events: SupplyEvents,
  ) {}

  /**
   * Stock batches take no lock, so supplies are counted after the batches in progress have written.
   * @returns a text that names the users, or undefined when there are none
   */
  async describe(location: Partial<Location>, timeoutMs: number): Promise<string | undefined> {
    const isIdle = await this.events.awaitBatches(location, timeoutMs)
    const count = await this.supplies.count(location)
    if (count > 0) return count === 1 ? '1 supply' : `${count} supplies`
    return isIdle ? undefined : 'a stock update in progress'
  }
}
