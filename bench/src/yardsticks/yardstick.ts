import { DURABLE } from '@partsbus/platform/mongo/durable'
import { type Collection, MongoClient } from 'mongodb'
import type { BenchProduct } from '../clients/catalogue.js'

/*
 * The yardstick: the same batches written to the same database with the driver alone. It parses the JSON, looks up the
 * existing documents, uses insertMany for new ones and updateOne by _id for changed ones, with the same indexes.
 */

interface Row {
  _id: string
  id: number
  slug: string
  [field: string]: unknown
}

interface Supply {
  _id: string
  [field: string]: unknown
}

export interface Yardstick {
  upsertProducts(body: string): Promise<void>
  /** Reads the stored documents of the items, which is the least that finding them unchanged costs. */
  readProducts(body: string): Promise<void>
  updateStocks(body: string): Promise<void>
  close(): Promise<void>
}

export async function openYardstick(url: string): Promise<Yardstick> {
  const client = new MongoClient(url, { maxPoolSize: 10, writeConcern: DURABLE })
  const db = client.db('bench_by_hand')
  await db.dropDatabase()
  const products: Collection<Row> = db.collection('products')
  const supplies: Collection<Supply> = db.collection('supplies')
  await products.createIndex({ id: 1 }, { name: 'id' })
  await products.createIndex({ slug: 1 }, { unique: true, name: 'slug_unique' })
  await products.createIndex({ article_key: 1 }, { name: 'article_key' })
  await products.createIndex({ category_erp_ids: 1, id: 1 }, { name: 'category_erp_ids_id' })
  await products.createIndex({ id: 1 }, { name: 'inactive_id', partialFilterExpression: { is_active: false } })
  await products.createIndex(
    { id: 1 },
    { name: 'deleted_id', partialFilterExpression: { deleted_at: { $type: 'date' } } },
  )
  await supplies.createIndex({ product_id: 1 }, { name: 'product_id' })
  await supplies.createIndex({ product_erp_id: 1 }, { name: 'product_erp_id' })
  await supplies.createIndex({ id: 1 }, { name: 'id' })
  await supplies.createIndex({ storage_id: 1, id: 1 }, { name: 'storage_id' })
  await supplies.createIndex({ pick_up_point_id: 1, id: 1 }, { name: 'pick_up_point_id' })
  let lastId = 0

  return {
    async upsertProducts(body) {
      const items = JSON.parse(body) as BenchProduct[]
      const known = new Map(
        (await products.find({ _id: { $in: items.map((item) => item.id_erp) } }).toArray()).map((row) => [
          row._id,
          row,
        ]),
      )
      const fresh = items
        .filter((item) => !known.has(item.id_erp))
        .map((item) => ({ ...fields(item), _id: item.id_erp, id: (lastId += 1), slug: `${item.name}-${item.article}` }))
      const changed = items.filter((item) => known.has(item.id_erp))
      if (fresh.length > 0) await products.insertMany(fresh, { ordered: false })
      if (changed.length > 0) {
        await products.bulkWrite(
          changed.map((item) => ({ updateOne: { filter: { _id: item.id_erp }, update: { $set: fields(item) } } })),
          { ordered: false },
        )
      }
    },
    async readProducts(body) {
      const items = JSON.parse(body) as BenchProduct[]
      const found = await products.find({ _id: { $in: items.map((item) => item.id_erp) } }).toArray()
      if (found.length !== items.length) throw new Error(`${found.length} of ${items.length} products were found`)
    },
    async updateStocks(body) {
      const items = JSON.parse(body) as Array<{ product_id_erp: string; quantity: number }>
      const known = new Map(
        (
          await products
            .find({ _id: { $in: items.map((item) => item.product_id_erp) } }, { projection: { id: 1 } })
            .toArray()
        ).map((row) => [row._id, row.id]),
      )
      const now = new Date()
      await supplies.bulkWrite(
        items
          .filter((item) => known.has(item.product_id_erp))
          .map((item) => ({
            updateOne: {
              filter: { _id: `${known.get(item.product_id_erp)}:1:1` },
              update: {
                $set: { quantity: item.quantity, updated_at: now },
                $setOnInsert: {
                  id: known.get(item.product_id_erp),
                  product_id: known.get(item.product_id_erp),
                  product_erp_id: item.product_id_erp,
                  pick_up_point_id: 1,
                  storage_id: 1,
                  purchase_price: null,
                  selling_price: null,
                  old_price: null,
                  supply_date: now,
                  delivery_days: 0,
                  reserved: 0,
                  shipped: 0,
                },
              },
              upsert: true,
            },
          })),
        { ordered: false },
      )
    },
    async close() {
      await db.dropDatabase()
      await client.close()
    },
  }
}

function fields(item: BenchProduct) {
  return {
    name: item.name,
    brand: item.brand,
    article: item.article,
    article_key: item.article.replaceAll('-', ''),
    description: item.description_full,
    sort: item.sort_order,
    is_active: true,
    deleted_at: null,
    attributes: item.attributes,
    category_erp_ids: [],
    media: [],
    updated_at: new Date(),
  }
}
