import { deactivateProducts, findProductsByArticle, getProduct, listProducts, resolveProducts, upsertProducts } from '@partsbus/contracts/catalog'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/call'
import { Answers, CONTEXT, Request } from '@partsbus/platform/nest-door'
import type { CatalogContext } from '../context.js'
import { deactivateProductBatch } from './deactivate-products.js'
import { findArticleProducts } from './find-products-by-article.js'
import { getOneProduct } from './get-product.js'
import { listProductPage } from './list-products.js'
import { resolveProductIds } from './resolve-products.js'
import { upsertProductBatch } from './upsert-products.js'

@Controller()
export class ProductsController {
  constructor(@Inject(CONTEXT) private readonly ctx: CatalogContext) {}

  @Answers(upsertProducts)
  upsert(@Request(upsertProducts) call: CallOf<typeof upsertProducts>) {
    return upsertProductBatch(this.ctx, call)
  }

  @Answers(deactivateProducts)
  deactivate(@Request(deactivateProducts) call: CallOf<typeof deactivateProducts>) {
    return deactivateProductBatch(this.ctx, call)
  }

  @Answers(listProducts)
  list(@Request(listProducts) call: CallOf<typeof listProducts>) {
    return listProductPage(this.ctx, call)
  }

  @Answers(getProduct)
  get(@Request(getProduct) call: CallOf<typeof getProduct>) {
    return getOneProduct(this.ctx, call)
  }

  @Answers(resolveProducts)
  resolve(@Request(resolveProducts) call: CallOf<typeof resolveProducts>) {
    return resolveProductIds(this.ctx, call)
  }

  @Answers(findProductsByArticle)
  byArticle(@Request(findProductsByArticle) call: CallOf<typeof findProductsByArticle>) {
    return findArticleProducts(this.ctx, call)
  }
}
