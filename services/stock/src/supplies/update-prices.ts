import { Injectable } from '@nestjs/common'
import type { StockResult } from '@partsbus/contracts/result'
import type { PriceItem } from '@partsbus/contracts/stock/stock-item'
import type { updatePrices as contract } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { planPrices, type PriceChange } from './plan-supplies.js'
import { SupplyBatches, type SupplyWrite } from './supply-batches.js'
import { SupplyStore } from './supply-store.js'

@Injectable()
export class UpdatePrices {
  private readonly prices: SupplyWrite<PriceItem, PriceChange>

  constructor(
    private readonly batches: SupplyBatches,
    supplies: SupplyStore,
  ) {
    this.prices = { plan: planPrices, write: (location, changes) => supplies.writePrices(location, changes) }
  }

  /** erp.md#prices-1 to erp.md#prices-6. */
  updatePrices(call: CallOf<typeof contract>): Promise<StockResult> {
    return this.batches.update(call, this.prices)
  }
}
