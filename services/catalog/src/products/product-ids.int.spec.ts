import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { getProduct } from '@partsbus/contracts/catalog/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

interface Item {
  _id: string
}

interface Counter {
  _id: string
  value: number
}

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

const counters = () => catalog.db.collection<Counter>('counters')
const counter = async () => (await counters().findOne({ _id: 'product' })) as Counter
let names = 0
async function create(): Promise<number> {
  const erp_id = `created-${(names += 1)}`
  await catalog.products([{ id_erp: erp_id, name: 'C' }])
  return (await catalog.ask(getProduct, { erp_id })).id
}

/** The catalog of an earlier moment, started anew. */
async function restore(products: Item[], copy: Counter): Promise<void> {
  await catalog.stopServices()
  await catalog.db.collection<Item>('products').deleteMany({})
  await catalog.db.collection<Item>('products').insertMany(products)
  await counters().replaceOne({ _id: 'product' }, copy)
  await catalog.startReplica()
}

describe('a catalog that was restored from an older backup than the stock (rules.md#restored-ids)', () => {
  let products: Item[]
  let copy: Counter
  beforeEach(async () => {
    catalog.stock.highestProductId = 0
    await create()
    products = await catalog.db.collection<Item>('products').find().toArray()
    copy = await counter()
  })

  it('asks the stock before it creates the first product', async () => {
    catalog.stock.highestProductId = copy.value + 3
    await restore(products, copy)
    const id = await create()
    expect(id).toBeGreaterThan(catalog.stock.highestProductId)
    expect(await create()).toBe(id + 1)
  })

  it('skips ids once while the stock is away', async () => {
    catalog.stock.stop()
    await restore(products, copy)
    expect(await create()).toBe(copy.value + SKIPPED_IDS + 1)
    expect(await create()).toBe(copy.value + SKIPPED_IDS + 2)
    catalog.stock.start()
  })

  it('asks the stock until it answers', async () => {
    catalog.stock.stop()
    await restore(products, copy)
    const id = await create()
    catalog.stock.highestProductId = id + SKIPPED_IDS
    catalog.stock.start()
    expect(await waitUntil(async () => (await counter()).value > id + 1, { withinMs: 30_000 })).toBe(true)
    expect(await create()).toBeGreaterThan(catalog.stock.highestProductId)
  })
})
