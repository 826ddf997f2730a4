import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable } from '@nestjs/common'
import { resolveProducts } from '@partsbus/contracts/catalog/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SupplyStore } from './supply-store.js'

const RETRY_AFTER_MS = 1_000
const TIMEOUT_MS = 5_000

/**
 * Supplies refer to products by their ids. When the catalog was restored from an older backup than the stock, it would
 * allocate the ids of lost products again, and the new products would inherit their stock.
 */
@Injectable()
export class StoredProductIds {
  constructor(
    private readonly supplies: SupplyStore,
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Sends the highest stored id to the catalog; repeats it until the catalog answers, or until `signal`. */
  async reserve(signal: AbortSignal): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        const highest_id = await this.supplies.highestProductId()
        if (highest_id > 0)
          await this.calls.request(resolveProducts, { erp_ids: [], highest_id }, { timeoutMs: TIMEOUT_MS })
        return
      } catch (error) {
        if (isFirst) this.log.warn({ err: error }, 'product ids not reserved yet: the catalog does not answer')
        await sleep(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
    }
  }
}
