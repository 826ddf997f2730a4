import type { Category } from '@partsbus/contracts/catalog/category'
import { mediaView } from '../items/media-view.js'
import type { CategoryDocument } from './category-document.js'

/** @param parents by ERP id */
export function categoryView(doc: CategoryDocument, parents: ReadonlyMap<string, { id: number }>): Category {
  return {
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
  }
}
