import { Controller } from '@nestjs/common'
import { getStockOverview, getStockReferences } from '@partsbus/contracts/stock/overview'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Overview } from './overview.js'

@Controller()
export class OverviewController {
  constructor(private readonly overview: Overview) {}

  @Handles(getStockOverview)
  getStockOverview() {
    return this.overview.getStockOverview()
  }

  @Handles(getStockReferences)
  getStockReferences() {
    return this.overview.getStockReferences()
  }
}
