import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/pricing-import/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Overview } from './overview.js'

@Controller()
export class OverviewController {
  constructor(private readonly overview: Overview) {}

  @Handles(contract.getPricingOverview)
  getPricingOverview(call: CallOf<typeof contract.getPricingOverview>) {
    return this.overview.getPricingOverview(call)
  }

  @Handles(contract.getPriceListReferences)
  getPriceListReferences() {
    return this.overview.getPriceListReferences()
  }

  @Handles(contract.getImportStatistics)
  getImportStatistics(call: CallOf<typeof contract.getImportStatistics>) {
    return this.overview.getImportStatistics(call)
  }
}
