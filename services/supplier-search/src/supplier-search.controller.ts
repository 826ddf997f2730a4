import * as contract from '@partsbus/contracts/search'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/call'
import { Answers, CONTEXT, Request } from '@partsbus/platform/nest-door'
import type { SupplierSearchContext } from './context.js'
import { findBrands } from './search/find-brands.js'
import { findParts } from './search/find-parts.js'
import { testStorage } from './search/test-storage.js'
import { createBrandSynonym } from './synonyms/create-brand-synonym.js'
import { deleteBrandSynonym } from './synonyms/delete-brand-synonym.js'
import { getBrandSynonym } from './synonyms/get-brand-synonym.js'
import { listBrandSynonyms } from './synonyms/list-brand-synonyms.js'
import { patchBrandSynonym } from './synonyms/patch-brand-synonym.js'

@Controller()
export class SupplierSearchController {
  constructor(@Inject(CONTEXT) private readonly ctx: SupplierSearchContext) {}

  @Answers(contract.findBrands)
  findBrands(@Request(contract.findBrands) call: CallOf<typeof contract.findBrands>) {
    return findBrands(this.ctx, call)
  }

  @Answers(contract.findParts)
  findParts(@Request(contract.findParts) call: CallOf<typeof contract.findParts>) {
    return findParts(this.ctx, call)
  }

  @Answers(contract.testStorage)
  testStorage(@Request(contract.testStorage) call: CallOf<typeof contract.testStorage>) {
    return testStorage(this.ctx, call)
  }

  @Answers(contract.listBrandSynonyms)
  listBrandSynonyms(@Request(contract.listBrandSynonyms) call: CallOf<typeof contract.listBrandSynonyms>) {
    return listBrandSynonyms(this.ctx, call)
  }

  @Answers(contract.getBrandSynonym)
  getBrandSynonym(@Request(contract.getBrandSynonym) call: CallOf<typeof contract.getBrandSynonym>) {
    return getBrandSynonym(this.ctx, call)
  }

  @Answers(contract.createBrandSynonym)
  createBrandSynonym(@Request(contract.createBrandSynonym) call: CallOf<typeof contract.createBrandSynonym>) {
    return createBrandSynonym(this.ctx, call)
  }

  @Answers(contract.patchBrandSynonym)
  patchBrandSynonym(@Request(contract.patchBrandSynonym) call: CallOf<typeof contract.patchBrandSynonym>) {
    return patchBrandSynonym(this.ctx, call)
  }

  @Answers(contract.deleteBrandSynonym)
  deleteBrandSynonym(@Request(contract.deleteBrandSynonym) call: CallOf<typeof contract.deleteBrandSynonym>) {
    return deleteBrandSynonym(this.ctx, call)
  }
}
