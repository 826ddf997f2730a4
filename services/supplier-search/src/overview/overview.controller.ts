import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/supplier-search/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Overview } from './overview.js'

@Controller()
export class OverviewController {
  constructor(private readonly overview: Overview) {}

  @Handles(contract.getSearchOverview)
  getSearchOverview() {
    return this.overview.getSearchOverview()
  }

  @Handles(contract.getSupplierStatistics)
  getSupplierStatistics(call: CallOf<typeof contract.getSupplierStatistics>) {
    return this.overview.getSupplierStatistics(call)
  }
}
