import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { explainQueries } from '@partsbus/test-kit/replica-set/explain-queries'
import { noRealSet, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { MediaSetStore } from './media/media-set-store.js'
import type { ProductDocument } from './products/product-document.js'
import { ProductStore } from './products/product-store.js'
import type { ProductIds } from './products/product-ids.js'

const PRODUCTS = 1_000_000
const INSERTED_AT_ONCE = 10_000
const WITHIN_MS = 20 * 60_000

/** Only MongoDB chooses its plans, by the size of what is stored. */
;(noRealSet === '' ? describe : describe.skip)(`plans of MongoDB for a million products${noRealSet}`, () => {
  let set: ReplicaSetControl
  let client: MongoClient
  let products: ProductStore
  const db = () => client.db(`test_set_plans_${process.pid}`)

  beforeAll(async () => {
    set = await ReplicaSetControl.open(testMongodbUrl())
    client = await new MongoClient(set.url, { monitorCommands: true }).connect()
    products = new ProductStore(db(), { startAbove: async () => undefined } as unknown as ProductIds)
    await products.onModuleInit()
    for (let first = 1; first <= PRODUCTS; first += INSERTED_AT_ONCE)
      await products.collection.insertMany(
        Array.from({ length: INSERTED_AT_ONCE }, (_, at) => product(first + at)),
        { ordered: false },
      )
  }, WITHIN_MS)
  afterAll(async () => {
    await db().dropDatabase()
    await client.close()
    await set.close()
  }, WITHIN_MS)

  const page = { page: 3, per_page: 100, count: false }
  const ids = Array.from({ length: 1_000 }, (_, at) => `p${at * 7 + 1}`)

  it.each<[string, () => Promise<unknown>]>([
    ['a page by its number', () => products.list({}, page)],
    ['a page after an id', () => products.list({}, { ...page, after_id: 500_000 })],
    ['a page of a category', () => products.list({ categoryErpId: 'c7' }, page)],
    ['a page of inactive products', () => products.list({ isActive: false }, page)],
    ['a page of deleted products', () => products.list({ trashed: true }, page)],
    ['the products of an article', () => products.findOffered('B5', 100)],
    ['the documents of a batch', () => products.findByErpIds(ids)],
    ['the revisions of a batch', () => products.findRevisions(ids)],
    ['slugs that are taken', () => products.findTakenSlugs(['product-5', 'product-6'])],
    ['overdue entries of the outbox', () => new OutboxStore(db().collection('outbox')).overdue(0)],
  ])('use indexes for %s', async (_name, work) => {
    const explained = await explainQueries(client, work)
    expect(explained.length).toBeGreaterThan(0)
    const slow = explained.filter(({ stages }) => stages.some((stage) => /^(COLLSCAN|SORT$)/.test(stage)))
    expect(slow).toEqual([])
  })

  it('use indexes for sets of images that are due', async () => {
    const sets = new MediaSetStore(db(), new CounterStore(db().collection('counters')))
    await sets.onModuleInit()
    const [due] = await explainQueries(client, () => sets.findDue(0, 100, []))
    expect(due?.stages).toEqual(expect.arrayContaining(['IXSCAN due_at']))
  })
})

function product(id: number): ProductDocument {
  const at = new Date()
  return {
    ...{
      _id: `p${id}`,
      id,
      rev: 1,
      batches: [],
      slug: `product-${id}`,
      name: `Product ${id}`,
      media: [],
      media_rev: 0,
    },
    ...{ is_active: id % 100 !== 0, deleted_at: id % 50 === 0 ? at : null, created_at: at, updated_at: at, sort: 0 },
    ...{ brand: 'Bolt', article: `B-${id}`, article_key: `B${id % 100_000}`, description: null, attributes: [] },
    category_erp_ids: [`c${id % 1_000}`],
  }
}
