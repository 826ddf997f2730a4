import { DURABLE } from '@partsbus/platform/mongo/durable'
import { type Collection, MongoClient } from 'mongodb'
import { articleKey } from '@partsbus/contracts/article'
import { timed } from '../figures/measure.js'
import { makeOffer, type OfferRow } from '../clients/make-offer.js'

/* The yardstick for offers: inserts them into the same database and reads them back with the driver alone. */

const AT_ONCE = 5_000

export interface OffersByHand {
  /**
   * Inserts the offers of a generated list, 5,000 at once.
   * @param inFlight concurrent inserts
   * @returns milliseconds of the inserts alone
   */
  insert(version: number, rows: number, inFlight: number): Promise<number>
  /** The product's own collection, read as its search reads it. */
  find(article: string, versions: number[]): Promise<number>
  close(): Promise<void>
}

export async function openOffersByHand(url: string): Promise<OffersByHand> {
  const client = new MongoClient(url, { maxPoolSize: 10, writeConcern: DURABLE })
  const own = client.db('bench_offers_by_hand')
  await own.dropDatabase()
  const offers: Collection<OfferRow> = own.collection('offers')
  await offers.createIndex({ article_key: 1, version: 1 }, { name: 'article_version' })
  const theirs: Collection<OfferRow> = client.db('partsbus_pricing_import').collection('offers')
  return {
    async insert(version, rows, inFlight) {
      let ms = 0
      for (let first = 0; first < rows; first += AT_ONCE * inFlight) {
        const starts = Array.from({ length: inFlight }, (_, at) => first + at * AT_ONCE).filter((start) => start < rows)
        const batches = starts.map((start) =>
          Array.from({ length: Math.min(AT_ONCE, rows - start) }, (_, at) =>
            withQuotes(makeOffer(version, start + at), start + at),
          ),
        )
        ms += await timed(() => Promise.all(batches.map((batch) => offers.insertMany(batch, { ordered: false }))))
      }
      return ms
    },
    async find(article, versions) {
      const found = await theirs
        .find({ article_key: { $eq: articleKey(article) }, version: { $in: versions }, quantity: { $gt: 0 } })
        .sort({ _id: 1 })
        .toArray()
      return found.length
    },
    async close() {
      await own.dropDatabase()
      await client.close()
    },
  }
}

/** In every tenth row of a generated list the name is a quoted cell. */
const withQuotes = (offer: OfferRow, n: number): OfferRow =>
  n % 10 === 0 ? { ...offer, name: `${offer.name}; шт` } : offer
