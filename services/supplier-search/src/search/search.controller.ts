import * as contract from '@partsbus/contracts/supplier-search/commands'
import * as overview from '@partsbus/contracts/supplier-search/overview'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FindBrands } from './find-brands.js'
import { FindParts } from './find-parts.js'
import { TestStorage } from './test-storage.js'

@Controller()
export class SearchController {
  constructor(
    private readonly brands: FindBrands,
    private readonly parts: FindParts,
    private readonly test: TestStorage,
  ) {}

  @Handles(contract.findBrands)
  findBrands(call: CallOf<typeof contract.findBrands>) {
    return this.brands.findBrands(call)
  }

  @Handles(contract.showBrands)
  showBrands(call: CallOf<typeof contract.showBrands>) {
    return this.brands.showBrands(call)
  }

  @Handles(contract.findParts)
  findParts(call: CallOf<typeof contract.findParts>) {
    return this.parts.findParts(call)
  }

  @Handles(overview.explainBrands)
  explainBrands(call: CallOf<typeof overview.explainBrands>) {
    return this.brands.explainBrands(call)
  }

  @Handles(overview.explainParts)
  explainParts(call: CallOf<typeof overview.explainParts>) {
    return this.parts.explainParts(call)
  }

  @Handles(overview.testSupplier)
  testSupplier(call: CallOf<typeof overview.testSupplier>) {
    return this.test.testSupplier(call)
  }

  @Handles(contract.testStorage)
  testStorage(call: CallOf<typeof contract.testStorage>) {
    return this.test.testStorage(call)
  }
}
