import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Call, Handles } from '@partsbus/platform/bus/nest-adapter'
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
  upsertProducts(@Call(contract.upsertProducts) call: CallOf<typeof contract.upsertProducts>) {
    this.latestBatch.note()
    return this.marks.process('products', call, this.store, () => this.upsert.upsertProducts(call))
  }

  @Handles(contract.deactivateProducts)
  deactivateProducts(@Call(contract.deactivateProducts) call: CallOf<typeof contract.deactivateProducts>) {
    this.latestBatch.note()
    return this.products.deactivateProducts(call)
  }

  @Handles(contract.listProducts)
  listProducts(@Call(contract.listProducts) call: CallOf<typeof contract.listProducts>) {
    return this.products.listProducts(call)
  }

  @Handles(contract.getProduct)
  getProduct(@Call(contract.getProduct) call: CallOf<typeof contract.getProduct>) {
    return this.products.getProduct(call)
  }

  @Handles(contract.resolveProducts)
  resolveProducts(@Call(contract.resolveProducts) call: CallOf<typeof contract.resolveProducts>) {
    return this.products.resolveProducts(call)
  }

  @Handles(contract.getProductStates)
  getProductStates(@Call(contract.getProductStates) call: CallOf<typeof contract.getProductStates>) {
    return this.states.getProductStates(call)
  }

  @Handles(contract.findProductsByArticle)
  findProductsByArticle(@Call(contract.findProductsByArticle) call: CallOf<typeof contract.findProductsByArticle>) {
    return this.products.findProductsByArticle(call)
  }
}
