import type { Product } from '@partsbus/contracts/catalog/product'
import { mediaView } from '../items/media-view.js'
import type { ProductDocument } from './product-document.js'

type LinkedCategory = Product['categories'][number]

/** @param categories by ERP id; links to others are left out */
export function productView(doc: ProductDocument, categories: ReadonlyMap<string, LinkedCategory>): Product {
  return {
    id: doc.id,
    erp_id: doc._id,
    name: doc.name,
    brand: doc.brand,
    article: doc.article,
    description: doc.description,
    slug: doc.slug,
    is_active: doc.is_active,
    sort: doc.sort,
    deleted_at: doc.deleted_at?.toISOString() ?? null,
    categories: doc.category_erp_ids.flatMap((erpId) => categories.get(erpId) ?? []),
    attributes: doc.attributes,
    media: mediaView(doc.media),
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
  }
}
