import { Injectable } from '@nestjs/common'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { type AnyBulkWriteOperation, type Collection, Db } from 'mongodb'
import type { AttachedMedia, MediaItem, MediaSet } from './media-set.js'

/** The fields of a product or category that this module reads and writes. */
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
  /** undefined leaves the media, and fences off earlier requests */
  media: AttachedMedia[] | undefined
  /** whether the item had other media; if not, they are written in case an earlier request was attached since */
  changes: boolean
}

/** The media inside product and category documents. */
@Injectable()
export class ItemMediaStore {
  private readonly items: Record<MediaItem, Collection<ItemWithMedia>>

  constructor(db: Db) {
    this.items = {
      product: db.collection<ItemWithMedia>('products'),
      category: db.collection<ItemWithMedia>('categories'),
    }
  }

  /** @returns the media of the items by ERP id */
  async find(item: MediaItem, erpIds: string[]): Promise<Map<string, AttachedMedia[]>> {
    if (erpIds.length === 0) return new Map()
    const found = await this.items[item].find({ _id: { $in: erpIds } }, { projection: { media: 1 } }).toArray()
    return new Map(found.map((document) => [document._id, document.media ?? []]))
  }

  /** @returns the revisions of the items by ERP id */
  async findRevisions(item: MediaItem, erpIds: string[]): Promise<Map<string, number>> {
    if (erpIds.length === 0) return new Map()
    const found = await this.items[item].find({ _id: { $in: erpIds } }, { projection: { rev: 1 } }).toArray()
    return new Map(found.map(({ _id, rev }) => [_id, rev]))
  }

  /** Replaces the media of many items, except where a later request or claim has done so. */
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
