import type { listProducts } from '@partsbus/contracts/catalog'
import type { Page } from '@partsbus/contracts/paging'
import type { Product } from '@partsbus/contracts/product'
import type { CallOf } from '@partsbus/platform/call'
import type { Filter } from 'mongodb'
import type { CatalogContext } from '../context.js'
import { linkedCategories } from './linked-categories.js'
import type { ProductDocument } from './product-document.js'
import { searchFilter } from './product-search.js'
import { productView } from './product-view.js'

/** Products by id, a page at a time (admin document: `?q=`, `?category_id=`, `?trashed=true`). */
export async function listProductPage(ctx: CatalogContext, call: CallOf<typeof listProducts>): Promise<Page<Product>> {
  const { page, per_page, q, category_id, trashed } = call.body
  const filters: Filter<ProductDocument>[] = []
  if (category_id !== undefined) {
    const category = await ctx.categories.collection.findOne({ id: category_id }, { projection: { _id: 1 } })
    if (!category) return { data: [], total: 0, page, per_page }
    filters.push({ category_erp_ids: category._id })
  }
  if (trashed === true) filters.push({ deleted_at: { $type: 'date' } })
  if (trashed === false) filters.push({ deleted_at: null })
  if (q !== undefined && q.trim() !== '') filters.push(searchFilter(q))
  const { docs, total } = await ctx.products.page(filters.length > 0 ? { $and: filters } : {}, call.body)
  const categories = await linkedCategories(ctx, docs)
  return { data: docs.map((doc) => productView(doc, categories)), total, page, per_page }
}
