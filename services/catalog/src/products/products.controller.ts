import { getProduct, upsertProducts } from '@partsbus/contracts/catalog'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/call'
import { Answers, CONTEXT, Request } from '@partsbus/platform/nest-door'
import type { CatalogContext } from '../context.js'
import { getOneProduct } from './get-product.js'
import { upsertProductBatch } from './upsert-products.js'

@Controller()
export class ProductsController {
  constructor(@Inject(CONTEXT) private readonly ctx: CatalogContext) {}

  @Answers(upsertProducts)
  upsert(@Request(upsertProducts) call: CallOf<typeof upsertProducts>) {
    return upsertProductBatch(this.ctx, call)
  }

  @Answers(getProduct)
  get(@Request(getProduct) call: CallOf<typeof getProduct>) {
    return getOneProduct(this.ctx, call)
  }
}
