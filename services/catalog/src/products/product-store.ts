import { Injectable, type OnModuleInit } from '@nestjs/common'
import { articleKey } from '@partsbus/contracts/article'
import type { KeysetRequest } from '@partsbus/contracts/paging'
import { containsText } from '@partsbus/platform/mongo/contains-text'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { listById } from '@partsbus/platform/mongo/read-by-id'
import { Db, type Filter } from 'mongodb'
import { EventOutbox } from '../events/event-outbox.js'
import { ItemStore, itemIndexes, obsoleteItemIndexes } from '../items/item-store.js'
import { ItemWriter } from '../items/item-writer.js'
import { blankProduct, type ProductDocument } from './product-document.js'
import { ProductIds } from './product-ids.js'

export interface ProductFilter {
  categoryErpId?: string | undefined
  /** true: only soft-deleted products; false: none of them */
  trashed?: boolean | undefined
  isActive?: boolean | undefined
  q?: string | undefined
}

const isDeleted: Filter<ProductDocument> = { deleted_at: { $type: 'date' } }
const isInactive: Filter<ProductDocument> = { is_active: false }

@Injectable()
export class ProductStore extends ItemStore<ProductDocument> implements OnModuleInit {
  constructor(
    db: Db,
    private readonly ids: ProductIds,
  ) {
    super(db.collection('products'), blankProduct)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(
      this.collection,
      [
        ...itemIndexes,
        { name: 'article_key', key: { article_key: 1 } },
        { name: 'category_erp_ids_id', key: { category_erp_ids: 1, id: 1 } },
        // few products are inactive
        { name: 'inactive_id', key: { id: 1 }, options: { partialFilterExpression: { is_active: false } } },
        { name: 'deleted_id', key: { id: 1 }, options: { partialFilterExpression: { deleted_at: { $type: 'date' } } } },
      ],
      obsoleteItemIndexes,
    )
    await this.ids.startAbove(() => this.findHighestId())
  }

  async list(
    filter: ProductFilter,
    request: KeysetRequest & { count?: boolean | undefined },
  ): Promise<{ docs: ProductDocument[]; total: number | null }> {
    const isCounted = request.count !== false
    const [docs, total] = await Promise.all([
      this.findPage(toQuery(filter), request),
      isCounted ? this.countList(filter) : null,
    ])
    return { docs, total }
  }

  /** Ids of known products that are not soft-deleted. */
  async findIds(erpIds: readonly string[]): Promise<Array<{ erp_id: string; id: number }>> {
    if (erpIds.length === 0) return []
    const found = await this.collection
      .find({ _id: { $in: [...erpIds] }, deleted_at: null }, { projection: { id: 1 }, batchSize: erpIds.length + 1 })
      .toArray()
    return found.map(({ _id, id }) => ({ erp_id: _id, id }))
  }

  /** Those of the ids that a product has. */
  async existing(ids: readonly number[]): Promise<number[]> {
    const found = await this.collection
      .find({ id: { $in: [...ids] } }, { projection: { _id: 0, id: 1 }, batchSize: ids.length + 1 })
      .toArray()
    return found.map(({ id }) => id)
  }

  /** Active products of an article that are not soft-deleted, by `id`. */
  findOffered(key: string, limit: number): Promise<Array<Pick<ProductDocument, 'id' | 'brand' | 'article' | 'name'>>> {
    return this.collection
      .find(
        { article_key: key, is_active: true, deleted_at: null },
        { projection: { id: 1, brand: 1, article: 1, name: 1 }, sort: { id: 1 }, limit },
      )
      .toArray()
  }

  countDeleted(): Promise<number> {
    return this.countMatching(isDeleted)
  }

  /** Products that link to a category, by `id`. */
  findLinkedTo(categoryErpId: string, afterId: number, limit: number): Promise<Array<{ _id: string; id: number }>> {
    const range = { after: afterId, limit }
    return listById(this.collection, { category_erp_ids: categoryErpId }, range, { projection: { id: 1 } })
  }

  private async countList(filter: ProductFilter): Promise<number> {
    const isSearched = filter.q !== undefined && filter.q.trim() !== ''
    if (filter.isActive === true && !isSearched && filter.categoryErpId === undefined && filter.trashed === undefined) {
      const [all, inactive] = await Promise.all([this.countAll(), this.countMatching(isInactive)])
      return all - inactive
    }
    if (isSearched || filter.categoryErpId !== undefined || filter.trashed === true || filter.isActive !== undefined)
      return this.countMatching(toQuery(filter))
    if (filter.trashed === undefined) return this.countAll()
    const [all, deleted] = await Promise.all([this.countAll(), this.countDeleted()])
    return all - deleted
  }
}

@Injectable()
export class ProductWriter extends ItemWriter<ProductDocument> {
  constructor(store: ProductStore, outbox: EventOutbox, ids: ProductIds) {
    super(store, outbox, (count) => ids.allocate(count))
  }
}

function toQuery({ categoryErpId, trashed, isActive, q }: ProductFilter): Filter<ProductDocument> {
  const filters: Filter<ProductDocument>[] = []
  if (categoryErpId !== undefined) filters.push({ category_erp_ids: categoryErpId })
  if (trashed === true) filters.push(isDeleted)
  if (trashed === false) filters.push({ deleted_at: null })
  if (isActive !== undefined) filters.push({ is_active: isActive })
  if (q !== undefined && q.trim() !== '') filters.push(searchQuery(q.trim()))
  return filters.length > 0 ? { $and: filters } : {}
}

/** Further words are ignored. */
const MAX_WORDS = 10

/**
 * Products whose name, brand or article contains every word of a text, whose article starts with it, or whose ERP id
 * it is. Names are scanned, 3 µs a product: an index of their words was measured to make every upsert twice as slow.
 */
function searchQuery(text: string): Filter<ProductDocument> {
  const key = articleKey(text)
  const words = text
    .split(/\s+/)
    .slice(0, MAX_WORDS)
    .map((word): Filter<ProductDocument> => {
      const contains = containsText(word)
      return { $or: [{ name: contains }, { brand: contains }, { article: contains }] }
    })
  return { $or: [{ _id: text }, ...(key === '' ? [] : [{ article_key: { $regex: `^${key}` } }]), { $and: words }] }
}
