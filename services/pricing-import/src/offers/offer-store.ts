import { BsonWriter } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Collection, Db } from 'mongodb'
import type { ImportableRow } from '../rows/read-row.js'
import { writeOffer } from './offer-bson.js'
import { FIRST_COPY, idsOf } from './offer-id.js'

/** See offer-bson.ts, which writes it. */
interface OfferDocument extends ImportableRow {
  _id: number
  version: number
}

export interface PlacedOffer {
  /** see offer-id.ts */
  place: number
  offer: ImportableRow
}

/** An offer as the search needs it. */
export type FoundOffer = Pick<
  OfferDocument,
  'version' | 'brand' | 'article' | 'name' | 'quantity' | 'price' | 'delivery_days'
>

/** More offers of one article are no article but a slip, like a list whose every row has the same one. */
const MAX_FOUND = 50_000
const NAME = 'offers'
const DELETED_AT_ONCE = 10_000

/** Offers of all kept versions of all lists. A version is a task's id, so it also tells the list. */
export class OfferStore {
  private readonly db: Db
  private readonly offers: Collection<OfferDocument>

  constructor(db: Db) {
    this.db = db
    this.offers = db.collection(NAME)
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.offers, [{ name: 'article_version', key: { article_key: 1, version: 1 } }])
  }

  /** @param documents as `writeOffer` makes them, one behind the other; those that are there already stay as they are */
  async write(documents: Uint8Array): Promise<void> {
    if (documents.length > 0) await retryConflicts(() => insertRaw(this.db, NAME, documents))
  }

  /** Writes offers of a version; those that are there already stay as they are. */
  place(version: number, placed: PlacedOffer[]): Promise<void> {
    const documents = new BsonWriter()
    for (const { place, offer } of placed) writeOffer(documents, version, place, offer)
    return this.write(documents.bytes())
  }

  /** Offers that can be sold, of these versions, by list and row. */
  find(articleKey: string, versions: number[], brandKeys?: string[]): Promise<FoundOffer[]> {
    const brands = brandKeys ? { brand_key: { $in: brandKeys } } : {}
    return this.offers
      .find({ article_key: { $eq: articleKey }, version: { $in: versions }, quantity: { $gt: 0 }, ...brands })
      .project<FoundOffer>({
        _id: 0,
        version: 1,
        brand: 1,
        article: 1,
        name: 1,
        quantity: 1,
        price: 1,
        delivery_days: 1,
      })
      .sort({ _id: 1 })
      .limit(MAX_FOUND)
      .toArray()
  }

  /** All offers of a version in the order of their places. */
  async *all(version: number): AsyncGenerator<ImportableRow> {
    for await (const { _id, version: _, ...offer } of this.offers
      .find({ _id: idsOf(version) })
      .sort({ _id: 1 })
      .batchSize(5_000))
      yield offer
  }

  count(version: number): Promise<number> {
    return this.offers.countDocuments({ _id: idsOf(version) })
  }

  /** Deletes a version, a part at a time, so that no lock is held for long. */
  delete(version: number): Promise<void> {
    return this.deleteRange(idsOf(version))
  }

  deleteCopies(version: number): Promise<void> {
    return this.deleteRange(idsOf(version, FIRST_COPY))
  }

  private async deleteRange(ids: { $gte: number; $lt: number }): Promise<void> {
    for (;;) {
      const [last] = await this.offers
        .find({ _id: ids })
        .sort({ _id: 1 })
        .skip(DELETED_AT_ONCE)
        .limit(1)
        .project<{ _id: number }>({ _id: 1 })
        .toArray()
      await this.offers.deleteMany({ _id: last ? { $gte: ids.$gte, $lt: last._id } : ids })
      if (!last) return
    }
  }
}
