import type { Category } from '@partsbus/contracts/category'
import type { CatalogContext } from '../context.js'
import { mediaView } from '../items/media-view.js'
import type { CategoryDocument } from './category-document.js'

/** Categories as the admin API answers them; the parents' ids are found in one look-up. */
export async function categoryViews(ctx: CatalogContext, docs: readonly CategoryDocument[]): Promise<Category[]> {
  const parents = await ctx.categories.marksOf([...new Set(docs.flatMap((doc) => doc.parent_erp_id ?? []))])
  return docs.map((doc) => ({
    id: doc.id,
    erp_id: doc._id,
    parent_id: doc.parent_erp_id === null ? null : (parents.get(doc.parent_erp_id)?.id ?? null),
    name: doc.name,
    description: doc.description,
    slug: doc.slug,
    is_active: doc.is_active,
    sort: doc.sort,
    media: mediaView(doc.media),
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
  }))
}
