import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { KeysetRequest } from '@partsbus/contracts/paging'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { containsText, searchedText } from '@partsbus/platform/mongo/contains-text'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { Db, type Filter } from 'mongodb'
import { EventOutbox } from '../events/event-outbox.js'
import { ItemStore, itemIndexes, obsoleteItemIndexes, LIST_TIMEOUT_MS } from '../items/item-store.js'
import { ItemWriter } from '../items/item-writer.js'
import type { CategoryDocument } from './category-document.js'

/** The cache is cleared beyond this many ids. */
const MAX_CACHED = 100_000

/** The values of fields that stored categories may lack: a new field is added here (docs/develop/extending.md). */
const defaults: Partial<CategoryDocument> = {
  description: null,
  sort: 0,
  parent_erp_id: null,
  pending_parent_erp_id: null,
}

export interface CategoryFilter {
  /** ERP id of the parent; null: the roots; undefined: any */
  parent?: string | null | undefined
  q?: string | undefined
}

/** A category that waits for its parent. */
export interface PendingParent {
  child: string
  parent: string
}

@Injectable()
export class CategoryStore extends ItemStore<CategoryDocument> implements OnModuleInit {
  private readonly known = new Set<string>()

  constructor(
    db: Db,
    private readonly counters: CounterStore,
  ) {
    super(db.collection('categories'), defaults)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(
      this.collection,
      [
        ...itemIndexes,
        { name: 'parent_erp_id_id', key: { parent_erp_id: 1, id: 1 } },
        {
          name: 'pending_parent_erp_id',
          key: { pending_parent_erp_id: 1 },
          options: { partialFilterExpression: { pending_parent_erp_id: { $type: 'string' } } },
        },
      ],
      obsoleteItemIndexes,
    )
    await this.counters.startAbove('category', () => this.findHighestId())
  }

  /** Those of the categories that exist. No category is ever deleted, so that a known one is not queried again. */
  async findKnown(erpIds: Iterable<string>): Promise<Set<string>> {
    const result = new Set(erpIds)
    const unknown = [...result].filter((erpId) => !this.known.has(erpId))
    if (unknown.length === 0) return result
    const found = await this.findRevisions(unknown)
    for (const erpId of unknown) if (!found.has(erpId)) result.delete(erpId)
    if (this.known.size + found.size > MAX_CACHED) this.known.clear()
    for (const erpId of found.keys()) this.known.add(erpId)
    return result
  }

  async list(filter: CategoryFilter, request: KeysetRequest): Promise<{ docs: CategoryDocument[]; total: number }> {
    const query = toQuery(filter)
    const [docs, total] = await Promise.all([
      this.findPage(query, request),
      Object.keys(query).length === 0 ? this.countAll() : this.countMatching(query),
    ])
    return { docs, total }
  }

  /** The number of categories directly below each of these. */
  async countChildren(erpIds: readonly string[]): Promise<Map<string, number>> {
    if (erpIds.length === 0) return new Map()
    const counts = await this.collection
      .aggregate<{ _id: string; count: number }>(
        [
          { $match: { parent_erp_id: { $in: [...erpIds] } } },
          { $group: { _id: '$parent_erp_id', count: { $sum: 1 } } },
        ],
        { maxTimeMS: LIST_TIMEOUT_MS },
      )
      .toArray()
    return new Map(counts.map(({ _id, count }) => [_id, count]))
  }

  async findSummaries(erpIds: readonly string[]): Promise<Map<string, { id: number; erp_id: string; name: string }>> {
    if (erpIds.length === 0) return new Map()
    const found = await this.collection
      .find({ _id: { $in: [...erpIds] } }, { projection: { id: 1, name: 1 }, batchSize: erpIds.length + 1 })
      .toArray()
    return new Map(found.map(({ _id, id, name }) => [_id, { id, erp_id: _id, name }]))
  }

  /** Categories that wait for one of these parents. */
  async findWaitingFor(parents: readonly string[]): Promise<PendingParent[]> {
    const waiting = await this.collection
      .find({ pending_parent_erp_id: { $in: [...parents] } }, { projection: { pending_parent_erp_id: 1 } })
      .toArray()
    return waiting.flatMap(toPendingParent)
  }

  /** Categories that wait for any parent, by ERP id. */
  async findWaiting(afterErpId: string, limit: number): Promise<PendingParent[]> {
    const waiting = await this.collection
      .find(
        { pending_parent_erp_id: { $type: 'string' }, _id: { $gt: afterErpId } },
        { projection: { pending_parent_erp_id: 1 } },
      )
      .sort({ _id: 1 })
      .limit(limit)
      .toArray()
    return waiting.flatMap(toPendingParent)
  }
}

/** Names are scanned: there are thousands of categories at most. */
function toQuery({ parent, q }: CategoryFilter): Filter<CategoryDocument> {
  const filters: Filter<CategoryDocument>[] = []
  if (parent !== undefined) filters.push({ parent_erp_id: parent })
  const text = searchedText(q)
  if (text !== undefined) filters.push({ $or: [{ _id: text }, { name: containsText(text) }] })
  return filters.length > 0 ? { $and: filters } : {}
}

function toPendingParent({ _id, pending_parent_erp_id: parent }: CategoryDocument): PendingParent[] {
  return parent === null ? [] : [{ child: _id, parent }]
}

@Injectable()
export class CategoryWriter extends ItemWriter<CategoryDocument> {
  constructor(store: CategoryStore, outbox: EventOutbox, counters: CounterStore) {
    super(store, outbox, (count) => counters.allocate('category', count))
  }
}
