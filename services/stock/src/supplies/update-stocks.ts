import { Injectable } from '@nestjs/common'
import type { StockResult } from '@partsbus/contracts/result'
import type { StockItem } from '@partsbus/contracts/stock/stock-item'
import type { updateStocks as contract } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { planSupplies, type SupplyChange } from './plan-supplies.js'
import { SupplyBatches, type SupplyWrite } from './supply-batches.js'
import { SupplyStore } from './supply-store.js'

@Injectable()
export class UpdateStocks {
  private readonly stock: SupplyWrite<StockItem, SupplyChange>

  constructor(
    private readonly batches: SupplyBatches,
    supplies: SupplyStore,
  ) {
    this.stock = { plan: planSupplies, write: (location, changes) => supplies.write(location, changes) }
  }

  /** erp.md#stocks-1 to erp.md#stocks-8. */
  updateStocks(call: CallOf<typeof contract>): Promise<StockResult> {
    return this.batches.update(call, this.stock)
  }
}
