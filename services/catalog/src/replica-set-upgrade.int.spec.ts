import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Mongo, openMongo } from '@partsbus/platform/mongo/connection'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { createLog } from '@partsbus/platform/process/log'
import {
  dropDisturbed,
  noRealSet,
  noSignals,
  ReplicaSetControl,
} from '@partsbus/test-kit/replica-set/replica-set-control'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Collection } from 'mongodb'
import type { ProductDocument } from './products/product-document.js'
import { type CatalogUnderTest, startCatalogUnderTest } from './testing/catalog-under-test.js'

/** A real set builds an index of so many in some seconds; the emulated one shows only whom the build waits for. */
const PRODUCTS = noRealSet === '' ? 1_000_000 : 2_000
const INSERTED_AT_ONCE = 10_000
const WITHIN_MS = noRealSet === '' ? 15 * 60_000 : 120_000

/** What 0.1.0 stored. */
type Stored = Omit<ProductDocument, 'full_sync'>

let set: ReplicaSetControl
let mongo: Mongo
let products: Collection<Stored>
let catalog: CatalogUnderTest | undefined
let resume = async (): Promise<void> => undefined
beforeAll(async () => {
  set = await ReplicaSetControl.open(testMongodbUrl())
  const database = `test_set_upgrade_${process.pid}`
  const log = createLog('test', 'silent')
  mongo = openMongo({ url: set.url, database, poolSize: 10, appName: 'test', log })
  await mongo.client.connect()
  products = mongo.db.collection<Stored>('products')
  await products.createIndex({ id: 1 }, { name: 'id_unique', unique: true })
  await products.createIndex({ slug: 1 }, { name: 'slug_unique', unique: true })
  for (let first = 1; first <= PRODUCTS; first += INSERTED_AT_ONCE)
    await products.insertMany(
      Array.from({ length: Math.min(INSERTED_AT_ONCE, PRODUCTS - first + 1) }, (_, at) => product(first + at)),
      { ordered: false },
    )
}, WITHIN_MS)
afterAll(async () => {
  await resume()
  await catalog?.stop()
  if (mongo) await dropDisturbed(mongo.db)
  await mongo?.close()
  await set?.close()
}, WITHIN_MS)

function product(id: number): Stored {
  const at = new Date()
  return {
    ...{ _id: `p${id}`, id, rev: 1, batches: [], slug: `product-${id}`, name: `Product ${id}`, is_active: true },
    ...{ media: [], media_rev: 0, created_at: at, updated_at: at, description: null, sort: 0, deleted_at: null },
    ...{ brand: 'Bolt', article: `B-${id}`, article_key: `B${id}`, category_erp_ids: [], attributes: [] },
  }
}

/** How a request is answered that this work is made for. */
const answerOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  )

/** Reads by id, and changes by key, until it is told to end, as the processes of the release before do. */
async function serve(isOver: () => boolean): Promise<Set<string>> {
  const answers = new Set<string>()
  for (let turn = 1; !isOver(); turn += 1) {
    const id = ((turn * 7_919) % PRODUCTS) + 1
    answers.add(
      await answerOf(
        products
          .find({ id: { $gte: id } })
          .sort({ id: 1 })
          .limit(20)
          .toArray(),
      ),
    )
    answers.add(await answerOf(products.updateOne({ _id: `p${id}` }, { $inc: { rev: 1 } })))
  }
  return answers
}

describe(`an upgrade from 0.1.0 while one member is frozen${noSignals}`, () => {
  ;(noSignals === '' ? it : it.skip)(
    'builds the new indexes, and drops the old one, while processes of both releases serve',
    async () => {
      resume = await set.freezeSecondary()
      let isOver = false
      const served = [serve(() => isOver), serve(() => isOver)]
      try {
        catalog = await startCatalogUnderTest(set.url, mongo.db.databaseName)
        const [first] = (await catalog.products([{ id_erp: 'p1', name: 'Renamed' }])).errors
        expect(first).toBeUndefined()
      } finally {
        isOver = true
      }
      const answers = (await Promise.all(served)).flatMap((one) => [...one])
      expect(answers.filter((answer) => !['OK', 'UNAVAILABLE'].includes(answer))).toEqual([])
      const names = async () => (await products.listIndexes().toArray()).map(({ name }) => String(name))
      expect(await waitFor(names, (found) => !found.includes('id_unique'))).toEqual(
        expect.arrayContaining(['_id_', 'id', 'slug_unique', 'article_key', 'category_erp_ids_id']),
      )
    },
    WITHIN_MS,
  )
})
