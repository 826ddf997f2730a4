import type { CatalogContext } from '../context.js'
import type { ProductDocument } from './product-document.js'
import type { LinkedCategory } from './product-view.js'

/** The categories that some products are linked to and that have arrived, in one look-up, by ERP id. */
export async function linkedCategories(
  ctx: CatalogContext,
  products: readonly ProductDocument[],
): Promise<Map<string, LinkedCategory>> {
  const erpIds = new Set(products.flatMap((product) => product.category_erp_ids))
  if (erpIds.size === 0) return new Map()
  const found = await ctx.categories.collection
    .find({ _id: { $in: [...erpIds] } }, { projection: { id: 1, name: 1 }, batchSize: erpIds.size + 1 })
    .toArray()
  return new Map(found.map((doc) => [doc._id, { id: doc.id, erp_id: doc._id, name: doc.name }]))
}
