import { BsonWriter } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import { deleteRange } from '@partsbus/platform/mongo/delete-range'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { type Collection, Db, type Filter } from 'mongodb'
import type { ImportableRow } from '../rows/read-row.js'
import { writeOffer } from '../raw-insert/offer-bson.js'
import type { ComparedOffer } from '../rows/compare-keys.js'
import type { OfferFilter } from './offer-filter.js'
import { FIRST_COPY, idRange, offerId, placeOf } from './offer-id.js'
import type { PlaceRange } from './sample-places.js'

/** See offer-bson.ts, which writes it. */
interface OfferDocument extends ImportableRow {
  _id: number
  version: number
  /** of what a merge took over: the copying that wrote it; absent: the first one */
  copying?: number
}

export interface PlacedOffer {
  /** see offer-id.ts */
  place: number
  offer: ImportableRow
}

/** An offer as a comparison of versions needs it. */
export interface PlacedValues extends Omit<ImportableRow, 'brand' | 'article'> {
  place: number
}

/** An offer as the search needs it. */
export type FoundOffer = Pick<
  OfferDocument,
  'version' | 'brand' | 'article' | 'name' | 'quantity' | 'price' | 'delivery_days'
>

/** Which offers of a version are listed. */
interface ListedOffers extends OfferFilter {
  /** the place after which the list begins */
  after?: number | undefined
  skip: number
  limit: number
}

/** ms */
const LIST_TIMEOUT_MS = 5_000
/** More offers of one article are no article but a slip, like a list whose every row has the same one. */
export const MAX_FOUND = 50_000
const NAME = 'offers'

/** Offers of all stored versions of all lists. A version is the id of a task, so it also identifies the list. */
@Injectable()
export class OfferStore implements OnModuleInit {
  private readonly offers: Collection<OfferDocument>

  constructor(private readonly db: Db) {
    this.offers = db.collection(NAME)
  }

  onModuleInit(): Promise<void> {
    return ensureIndexes(this.offers, [{ name: 'article_version', key: { article_key: 1, version: 1 } }])
  }

  /**
   * @param documents as `writeOffer` makes them, one behind the other; those that are there already stay as they are
   */
  async write(documents: Uint8Array): Promise<void> {
    if (documents.length > 0) await retryConflicts(() => insertRaw(this.db, NAME, documents))
  }

  /** Writes offers of a version; those that are there already stay as they are. */
  place(version: number, placed: PlacedOffer[]): Promise<void> {
    const documents = new BsonWriter()
    for (const { place, offer } of placed) writeOffer(documents, version, place, offer)
    return this.write(documents.bytes())
  }

  /** Offers that can be sold, or that are sold out, too, of these versions, by list and row. */
  find(articleKey: string, versions: number[], brandKeys?: string[], withSoldOut = false): Promise<FoundOffer[]> {
    const brands = brandKeys ? { brand_key: { $in: brandKeys } } : {}
    const inStock = withSoldOut ? {} : { quantity: { $gt: 0 } }
    return this.offers
      .find({ article_key: { $eq: articleKey }, version: { $in: versions }, ...inStock, ...brands })
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

  /**
   * Offers of a version in the order of their ids.
   * @param after the last id of the page before, 0 for the first page
   * @returns `last` undefined: there are no more
   */
  async page(version: number, after: number, limit: number): Promise<{ offers: ImportableRow[]; last?: number }> {
    const { $gte, $lt } = idRange(version)
    const found = await this.offers
      .find({ _id: { $gte: Math.max($gte, after + 1), $lt } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray()
    const last = found.at(-1)?._id
    return {
      offers: found.map(({ _id, version: _, copying: __, ...offer }) => offer),
      ...(last !== undefined && { last }),
    }
  }

  /** The places that a version uses: those of the file, and those of what a merge took over. */
  async placesOf(version: number): Promise<PlaceRange[]> {
    const { $gte, $lt } = idRange(version)
    const copies = offerId(version, FIRST_COPY)
    const [row, copy] = await Promise.all([this.lastPlace($gte, copies), this.lastPlace(copies, $lt)])
    return [
      ...(row === undefined ? [] : [{ from: 1, to: row }]),
      ...(copy === undefined ? [] : [{ from: FIRST_COPY, to: copy }]),
    ]
  }

  private async lastPlace(from: number, to: number): Promise<number | undefined> {
    const [last] = await this.offers
      .find({ _id: { $gte: from, $lt: to } })
      .sort({ _id: -1 })
      .limit(1)
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    return last && placeOf(last._id)
  }

  /** Keys and prices of offers, by place. @returns `last`: the place of the last one; undefined: there are none */
  async prices(
    version: number,
    { from, to }: PlaceRange,
    limit: number,
  ): Promise<{ offers: ComparedOffer[]; last: number | undefined }> {
    const found = await this.offers
      .find({ _id: { $gte: offerId(version, from), $lte: offerId(version, to) } })
      .sort({ _id: 1 })
      .limit(limit)
      .project<Pick<OfferDocument, '_id' | 'brand_key' | 'article_key' | 'price'>>({
        brand_key: 1,
        article_key: 1,
        price: 1,
      })
      .toArray()
    const last = found.at(-1)
    return {
      offers: found.map(({ brand_key, article_key, price }) => [brand_key, article_key, price]),
      last: last && placeOf(last._id),
    }
  }

  /** What a comparison of versions needs of offers, in the order of their places. @param range absent: all */
  async differing(version: number, filter: OfferFilter, range?: PlaceRange): Promise<PlacedValues[]> {
    const ids = range && { _id: { $gte: offerId(version, range.from), $lte: offerId(version, range.to) } }
    const found = await this.offers
      .find({ ...filterFor(version, filter), ...ids })
      .sort({ _id: 1 })
      .project<Omit<PlacedValues, 'place'> & { _id: number }>({
        ...{ brand_key: 1, article_key: 1 },
        ...{ name: 1, quantity: 1, price: 1, delivery_days: 1 },
      })
      .toArray()
    return found.map(({ _id, ...values }) => ({ place: placeOf(_id), ...values }))
  }

  /** Offers of a version by their places. */
  async at(version: number, places: readonly number[]): Promise<Map<number, ImportableRow>> {
    if (places.length === 0) return new Map()
    const found = await this.offers.find({ _id: { $in: places.map((place) => offerId(version, place)) } }).toArray()
    return new Map(found.map(({ _id, version: _, copying: __, ...offer }) => [placeOf(_id), offer]))
  }

  /** Offers of a version in the order of their file. */
  async list(version: number, wanted: ListedOffers): Promise<PlacedOffer[]> {
    const found = await this.offers
      .find(filterFor(version, wanted), { maxTimeMS: LIST_TIMEOUT_MS })
      .sort({ _id: 1 })
      .skip(wanted.skip)
      .limit(wanted.limit)
      .toArray()
    return found.map(({ _id, version: _, copying: __, ...offer }) => ({ place: placeOf(_id), offer }))
  }

  countListed(version: number, wanted: OfferFilter): Promise<number> {
    return this.offers.countDocuments(filterFor(version, wanted), { maxTimeMS: LIST_TIMEOUT_MS })
  }

  count(version: number): Promise<number> {
    return this.offers.countDocuments({ _id: idRange(version) })
  }

  delete(version: number): Promise<void> {
    return deleteRange(this.offers, idRange(version))
  }

  /**
   * Writes copies in place of those of earlier copyings. Those that a later one wrote stay as they are.
   * @param copying above 0
   */
  async replaceCopies(version: number, copying: number, placed: PlacedOffer[]): Promise<void> {
    if (placed.length === 0) return
    const replacements = placed.map(({ place, offer }) => ({
      replaceOne: {
        filter: { _id: offerId(version, place), ...earlierThan(copying) },
        replacement: { version, ...offer, copying },
        upsert: true,
      },
    }))
    // a duplicate: one of this copying or of a later one is there
    await retryConflicts(() => collectDuplicates(() => this.offers.bulkWrite(replacements, { ordered: false })))
  }

  deleteCopiesBefore(version: number, copying: number): Promise<void> {
    return deleteRange(this.offers, idRange(version, FIRST_COPY), earlierThan(copying))
  }
}

function earlierThan(copying: number): Filter<OfferDocument> {
  return { copying: { $not: { $gte: copying } } }
}

/** With an article, by its index; else by the range of ids. */
function filterFor(
  version: number,
  { articleKey, brandKey, priceFrom, priceTo, after }: OfferFilter & Pick<ListedOffers, 'after'>,
): Filter<OfferDocument> {
  const { $gte, $lt } = idRange(version)
  const hasPrice = priceFrom !== undefined || priceTo !== undefined
  const others = {
    ...(brandKey !== undefined && { brand_key: { $eq: brandKey } }),
    // an offer without a price is in no range
    ...(hasPrice && { price: { $gte: priceFrom ?? 0, ...(priceTo !== undefined && { $lte: priceTo }) } }),
  }
  if (articleKey !== undefined && after === undefined) return { article_key: { $eq: articleKey }, version, ...others }
  const article = articleKey === undefined ? {} : { article_key: { $eq: articleKey } }
  return { _id: after === undefined ? { $gte, $lt } : { $gt: offerId(version, after), $lt }, ...article, ...others }
}
