import * as contract from '@partsbus/contracts/search'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
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

  @Handles(contract.findBrands)
  findBrands(@Call(contract.findBrands) call: CallOf<typeof contract.findBrands>) {
    return findBrands(this.ctx, call)
  }

  @Handles(contract.findParts)
  findParts(@Call(contract.findParts) call: CallOf<typeof contract.findParts>) {
    return findParts(this.ctx, call)
  }

  @Handles(contract.testStorage)
  testStorage(@Call(contract.testStorage) call: CallOf<typeof contract.testStorage>) {
    return testStorage(this.ctx, call)
  }

  @Handles(contract.listBrandSynonyms)
  listBrandSynonyms(@Call(contract.listBrandSynonyms) call: CallOf<typeof contract.listBrandSynonyms>) {
    return listBrandSynonyms(this.ctx, call)
  }

  @Handles(contract.getBrandSynonym)
  getBrandSynonym(@Call(contract.getBrandSynonym) call: CallOf<typeof contract.getBrandSynonym>) {
    return getBrandSynonym(this.ctx, call)
  }

  @Handles(contract.createBrandSynonym)
  createBrandSynonym(@Call(contract.createBrandSynonym) call: CallOf<typeof contract.createBrandSynonym>) {
    return createBrandSynonym(this.ctx, call)
  }

  @Handles(contract.patchBrandSynonym)
  patchBrandSynonym(@Call(contract.patchBrandSynonym) call: CallOf<typeof contract.patchBrandSynonym>) {
    return patchBrandSynonym(this.ctx, call)
  }

  @Handles(contract.deleteBrandSynonym)
  deleteBrandSynonym(@Call(contract.deleteBrandSynonym) call: CallOf<typeof contract.deleteBrandSynonym>) {
    return deleteBrandSynonym(this.ctx, call)
  }
}
