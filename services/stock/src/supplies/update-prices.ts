import { Controller } from '@nestjs/common'
import type { StockResult } from '@partsbus/contracts/result'
import { updatePrices as contract } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { planPrices } from './plan-supplies.js'
import { SupplyBatches } from './supply-batches.js'
import { SupplyStore } from './supply-store.js'

@Controller()
export class UpdatePrices {
  constructor(
    private readonly batches: SupplyBatches,
    private readonly supplies: SupplyStore,
  ) {}

  /** erp.md#prices-1 to erp.md#prices-6. */
  @Handles(contract)
  updatePrices(call: CallOf<typeof contract>): Promise<StockResult> {
    return this.batches.update(call, planPrices, (location, changes) => this.supplies.writePrices(location, changes))
  }
}
