import {
  deactivateProducts,
  findProductsByArticle,
  getProduct,
  listProducts,
  resolveProducts,
  upsertProducts,
} from '@partsbus/contracts/catalog'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
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

  @Handles(upsertProducts)
  upsert(@Call(upsertProducts) call: CallOf<typeof upsertProducts>) {
    return upsertProductBatch(this.ctx, call)
  }

  @Handles(deactivateProducts)
  deactivate(@Call(deactivateProducts) call: CallOf<typeof deactivateProducts>) {
    return deactivateProductBatch(this.ctx, call)
  }

  @Handles(listProducts)
  list(@Call(listProducts) call: CallOf<typeof listProducts>) {
    return listProductPage(this.ctx, call)
  }

  @Handles(getProduct)
  get(@Call(getProduct) call: CallOf<typeof getProduct>) {
    return getOneProduct(this.ctx, call)
  }

  @Handles(resolveProducts)
  resolve(@Call(resolveProducts) call: CallOf<typeof resolveProducts>) {
    return resolveProductIds(this.ctx, call)
  }

  @Handles(findProductsByArticle)
  byArticle(@Call(findProductsByArticle) call: CallOf<typeof findProductsByArticle>) {
    return findArticleProducts(this.ctx, call)
  }
}
