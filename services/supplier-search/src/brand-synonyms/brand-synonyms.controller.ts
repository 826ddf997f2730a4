import * as contract from '@partsbus/contracts/supplier-search/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { BrandSynonyms } from './brand-synonyms.js'

@Controller()
export class BrandSynonymsController {
  constructor(private readonly synonyms: BrandSynonyms) {}

  @Handles(contract.listBrandSynonyms)
  listBrandSynonyms(call: CallOf<typeof contract.listBrandSynonyms>) {
    return this.synonyms.listBrandSynonyms(call)
  }

  @Handles(contract.getBrandSynonym)
  getBrandSynonym(call: CallOf<typeof contract.getBrandSynonym>) {
    return this.synonyms.getBrandSynonym(call)
  }

  @Handles(contract.createBrandSynonym)
  createBrandSynonym(call: CallOf<typeof contract.createBrandSynonym>) {
    return this.synonyms.createBrandSynonym(call)
  }

  @Handles(contract.patchBrandSynonym)
  patchBrandSynonym(call: CallOf<typeof contract.patchBrandSynonym>) {
    return this.synonyms.patchBrandSynonym(call)
  }

  @Handles(contract.deleteBrandSynonym)
  deleteBrandSynonym(call: CallOf<typeof contract.deleteBrandSynonym>) {
    return this.synonyms.deleteBrandSynonym(call)
  }
}
