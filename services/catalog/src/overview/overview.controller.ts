import { Controller } from '@nestjs/common'
import { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Overview } from './overview.js'

@Controller()
export class OverviewController {
  constructor(private readonly overview: Overview) {}

  @Handles(getCatalogOverview)
  getCatalogOverview() {
    return this.overview.getCatalogOverview()
  }
}
