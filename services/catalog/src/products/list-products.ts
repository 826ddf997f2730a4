import type { listProducts } from '@partsbus/contracts/catalog'
import type { Page } from '@partsbus/contracts/paging'
import type { Product } from '@partsbus/contracts/product'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { linkedCategories } from './linked-categories.js'
import { productView } from './product-view.js'

/** Products by id, a page at a time (admin.md#products: `?q=`, `?category_id=`, `?trashed=true`). */
export async function listProductPage(ctx: CatalogContext, call: CallOf<typeof listProducts>): Promise<Page<Product>> {
  const { page, per_page, q, category_id, trashed } = call.body
  const category =
    category_id === undefined
      ? undefined
      : await ctx.categories.collection.findOne({ id: category_id }, { projection: { _id: 1 } })
  if (category === null) return { data: [], total: 0, page, per_page }
  const { docs, total } = await ctx.products.list({ categoryErpId: category?._id, trashed, q }, call.body)
  const categories = await linkedCategories(ctx, docs)
  return { data: docs.map((doc) => productView(doc, categories)), total, page, per_page }
}
