import { Injectable } from '@nestjs/common'
import type { StockResult } from '@partsbus/contracts/result'
import type { updateStocks as contract } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { planSupplies } from './plan-supplies.js'
import { SupplyBatches } from './supply-batches.js'
import { SupplyStore } from './supply-store.js'

@Injectable()
export class UpdateStocks {
  constructor(
    private readonly batches: SupplyBatches,
    private readonly supplies: SupplyStore,
  ) {}

  /** erp.md#stocks-1 to erp.md#stocks-8. */
  updateStocks(call: CallOf<typeof contract>): Promise<StockResult> {
    return this.batches.update(call, planSupplies, (location, changes) => this.supplies.write(location, changes))
  }
}
