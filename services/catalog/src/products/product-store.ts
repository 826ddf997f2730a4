import { articleKey } from '@partsbus/contracts/article'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Filter } from 'mongodb'
import { ItemStore, itemIndexes } from '../items/item-store.js'
import type { ProductDocument } from './product-document.js'

/** Which products a list holds; what is absent does not narrow it. */
export interface ProductFilter {
  categoryErpId?: string | undefined
  /** true: soft-deleted ones only; false: none of them */
  trashed?: boolean | undefined
  q?: string | undefined
}

export class ProductStore extends ItemStore<ProductDocument> {
  ensureIndexes(): Promise<void> {
    return ensureIndexes(this.collection, [
      ...itemIndexes,
      { name: 'article_key', key: { article_key: 1 } },
      { name: 'category_erp_ids_id', key: { category_erp_ids: 1, id: 1 } },
      { name: 'deleted_id', key: { id: 1 }, options: { partialFilterExpression: { deleted_at: { $type: 'date' } } } },
    ])
  }

  /** One page by `id`, and how many there are in all. */
  list(
    { categoryErpId, trashed, q }: ProductFilter,
    page: { page: number; per_page: number },
  ): Promise<{ docs: ProductDocument[]; total: number }> {
    const filters: Filter<ProductDocument>[] = []
    if (categoryErpId !== undefined) filters.push({ category_erp_ids: categoryErpId })
    if (trashed === true) filters.push({ deleted_at: { $type: 'date' } })
    if (trashed === false) filters.push({ deleted_at: null })
    if (q !== undefined && q.trim() !== '') filters.push(searchFilter(q.trim()))
    return this.page(filters.length > 0 ? { $and: filters } : {}, page)
  }
}

/** More words than this are not looked for. */
const MAX_WORDS = 10

/**
 * Products whose name, brand or article holds every word of a text, whose article starts with it, or whose ERP id it is.
 * Names are scanned, 3 µs a product: an index of their words was measured to make every upsert twice as slow.
 */
function searchFilter(text: string): Filter<ProductDocument> {
  const key = articleKey(text)
  const words = text
    .split(/\s+/)
    .slice(0, MAX_WORDS)
    .map((word): Filter<ProductDocument> => {
      const holds = { $regex: escapeRegex(word), $options: 'i' }
      return { $or: [{ name: holds }, { brand: holds }, { article: holds }] }
    })
  return { $or: [{ _id: text }, ...(key === '' ? [] : [{ article_key: { $regex: `^${key}` } }]), { $and: words }] }
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
