import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FullSyncMarks } from '../full-sync/full-sync-marks.js'
import { LatestBatchStore } from '../overview/latest-batch-store.js'
import { ProductStates } from './product-states.js'
import { ProductStore } from './product-store.js'
import { Products } from './products.js'
import { UpsertProducts } from './upsert-products.js'

@Controller()
export class ProductsController {
  constructor(
    private readonly products: Products,
    private readonly upsert: UpsertProducts,
    private readonly states: ProductStates,
    private readonly latestBatch: LatestBatchStore,
    private readonly marks: FullSyncMarks,
    private readonly store: ProductStore,
  ) {}

  @Handles(contract.upsertProducts)
  upsertProducts(call: CallOf<typeof contract.upsertProducts>) {
    this.latestBatch.note()
    return this.marks.process('products', call, this.store, () => this.upsert.upsertProducts(call))
  }

  @Handles(contract.deactivateProducts)
  deactivateProducts(call: CallOf<typeof contract.deactivateProducts>) {
    this.latestBatch.note()
    return this.products.deactivateProducts(call)
  }

  @Handles(contract.listProducts)
  listProducts(call: CallOf<typeof contract.listProducts>) {
    return this.products.listProducts(call)
  }

  @Handles(contract.getProduct)
  getProduct(call: CallOf<typeof contract.getProduct>) {
    return this.products.getProduct(call)
  }

  @Handles(contract.resolveProducts)
  resolveProducts(call: CallOf<typeof contract.resolveProducts>) {
    return this.products.resolveProducts(call)
  }

  @Handles(contract.getProductStates)
  getProductStates(call: CallOf<typeof contract.getProductStates>) {
    return this.states.getProductStates(call)
  }

  @Handles(contract.findProductsByArticle)
  findProductsByArticle(call: CallOf<typeof contract.findProductsByArticle>) {
    return this.products.findProductsByArticle(call)
  }
}
