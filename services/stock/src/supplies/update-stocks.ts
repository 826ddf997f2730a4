import { Controller } from '@nestjs/common'
import type { StockResult } from '@partsbus/contracts/result'
import { updateStocks as contract } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { planSupplies } from './plan-supplies.js'
import { SupplyBatches } from './supply-batches.js'
import { SupplyStore } from './supply-store.js'

@Controller()
export class UpdateStocks {
  constructor(
    private readonly batches: SupplyBatches,
    private readonly supplies: SupplyStore,
  ) {}

  /** erp.md#stocks-1 to erp.md#stocks-8. */
  @Handles(contract)
  updateStocks(call: CallOf<typeof contract>): Promise<StockResult> {
    return this.batches.update(call, planSupplies, (location, changes) => this.supplies.write(location, changes))
  }
}
