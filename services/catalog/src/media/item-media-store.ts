import { retryConflicts } from '@partsbus/platform/mongo/errors'
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb'
import type { AttachedMedia, MediaItem, MediaSet } from './media-set.js'

/** What this half of the service knows of a product's or category's document. */
interface ItemWithMedia {
  /** the ERP's id */
  _id: string
  rev: number
  media?: AttachedMedia[]
  media_rev?: number
  updated_at: Date
}

export interface MediaSwap {
  set: Pick<MediaSet, 'item' | 'erp_id' | 'rev'>
  /** undefined leaves those that are there, and bars earlier requests */
  media: AttachedMedia[] | undefined
  /** whether the item had others; when not, they are written only in case an earlier request has slipped in since */
  changes: boolean
}

/** The pictures inside products and categories. */
export class ItemMediaStore {
  private readonly items: Record<MediaItem, Collection<ItemWithMedia>>

  constructor(db: Db) {
    this.items = {
      product: db.collection<ItemWithMedia>('products'),
      category: db.collection<ItemWithMedia>('categories'),
    }
  }

  /** @returns the pictures the items have, by ERP id */
  async find(item: MediaItem, erpIds: string[]): Promise<Map<string, AttachedMedia[]>> {
    if (erpIds.length === 0) return new Map()
    const found = await this.items[item].find({ _id: { $in: erpIds } }, { projection: { media: 1 } }).toArray()
    return new Map(found.map((document) => [document._id, document.media ?? []]))
  }

  /** Replaces the pictures of many items, except where a later request or claim has done so. */
  async swap(item: MediaItem, swaps: MediaSwap[]): Promise<void> {
    if (swaps.length === 0) return
    const updated_at = new Date()
    const sorted = swaps.toSorted((a, b) => (a.set.erp_id < b.set.erp_id ? -1 : 1))
    const operations = sorted.map(({ set, media, changes }): AnyBulkWriteOperation<ItemWithMedia> => ({
      updateOne: {
        filter: { _id: set.erp_id, media_rev: { $not: { $gt: set.rev } } },
        update: {
          $set: { ...(media && { media }), media_rev: set.rev, ...(changes && { updated_at }) },
          ...(changes && { $inc: { rev: 1 } }),
        },
      },
    }))
    await retryConflicts(() => this.items[item].bulkWrite(operations, { ordered: false }))
  }
}
