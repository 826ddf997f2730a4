import type { getProduct } from '@partsbus/contracts/catalog'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Product } from '@partsbus/contracts/product'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { linkedCategories } from './linked-categories.js'
import { productView } from './product-view.js'

/** One product by its id or its ERP id, soft-deleted ones too (admin.md#products). @throws AppError NOT_FOUND */
export async function getOneProduct(ctx: CatalogContext, call: CallOf<typeof getProduct>): Promise<Product> {
  const { body } = call
  const doc = await ctx.products.collection.findOne('id' in body ? { id: body.id } : { _id: body.erp_id })
  if (!doc) throw new AppError('NOT_FOUND', texts.notFound)
  return productView(doc, await linkedCategories(ctx, [doc]))
}
