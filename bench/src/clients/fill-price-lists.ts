import { DURABLE } from '@partsbus/platform/mongo/durable'
import { type Collection, MongoClient } from 'mongodb'
import { makeOffer, type OfferRow } from './make-offer.js'

/*
 * Price lists with live versions, inserted directly into the product's collections: the documents and indexes are those
 * of an import, without files and tasks. This takes a fraction of the time of real imports.
 */

interface PriceList {
  _id: number
  [field: string]: unknown
}

const AT_ONCE = 5_000
const SIDE_BY_SIDE = 2
/** Version numbers that no import of the same run gets. */
const FIRST_VERSION = 400_000_000

/** Gives each of these empty lists one live version with the offers of a generated list. @returns the versions */
export async function fillPriceLists(url: string, listIds: readonly number[], rows: number): Promise<number[]> {
  const client = new MongoClient(url, { writeConcern: DURABLE })
  const database = client.db('partsbus_pricing_import')
  const offers: Collection<OfferRow> = database.collection('offers')
  const lists: Collection<PriceList> = database.collection('price_lists')
  const versionOf = (listId: number): number => FIRST_VERSION + listId
  try {
    const batches = listIds.flatMap((listId, salt) =>
      Array.from({ length: Math.ceil(rows / AT_ONCE) }, (_, at) => ({
        version: versionOf(listId),
        salt,
        first: at * AT_ONCE,
      })),
    )
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
          const { version, salt, first } = batch
          await offers.insertMany(
            Array.from({ length: Math.min(AT_ONCE, rows - first) }, (_, at) => makeOffer(version, first + at, salt)),
            { ordered: false },
          )
        }
      }),
    )
    for (const listId of listIds) {
      const version = versionOf(listId)
      await lists.updateOne(
        { _id: listId },
        {
          $set: {
            active_version: version,
            highest_live: version,
            versions: [{ version, rows, created_at: new Date() }],
          },
        },
      )
    }
    return listIds.map(versionOf)
  } finally {
    await client.close()
  }
}
