import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { findExistingProducts } from '@partsbus/contracts/catalog/commands'
import type { Finding } from '@partsbus/contracts/diagnosis'
import type { RequestOf } from '@partsbus/contracts/message'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { changeDocuments, type DocumentChanges, type Undo } from '@partsbus/test-kit/change-documents'
import type { Subscription } from '@nats-io/transport-node'
import { type StockUnderTest, startStockUnderTest } from './testing/stock-under-test.js'

jest.setTimeout(60_000)

let stock: StockUnderTest
let changes: DocumentChanges
let catalog: Subscription
const products = new Set([1])

const startCatalog = (): Subscription =>
  stock.connection.nc.subscribe(findExistingProducts.subject, {
    callback: (_error, message) => {
      const { ids } = message.json<RequestOf<typeof findExistingProducts>>()
      message.respond(JSON.stringify({ ids: ids.filter((id) => products.has(id)) }))
    },
  })

beforeAll(async () => {
  stock = await startStockUnderTest()
  changes = changeDocuments(stock.db)
  catalog = startCatalog()
  const headers = [{ name: 'X-Key', sealed: stock.get(SecretBox).seal('secret', 'storage 1 header x-key') }]
  await changes.insert('storages', { _id: 1, name: 'Supplier', supplier: { kind: 'http', headers } })
  await changes.insert('pick_up_points', { _id: 1, storage_ids: [1] })
  await changes.insert('supplies', { _id: '1:1:1', id: 1, product_id: 1, storage_id: 1, pick_up_point_id: 1 })
  for (const name of ['supplies', 'storages', 'pick_up_points']) await changes.update('counters', name, { value: 5 })
})
afterAll(() => stock?.stop())

async function findings(isFixing = false): Promise<Finding[]> {
  return (await askService({ request: (command, body) => stock.ask(command, body) }, 'stock', isFixing))?.findings ?? []
}
const codes = async (): Promise<string[]> => (await findings()).map(({ code }) => code)
const sealedElsewhere = new SecretBox([randomBytes(32)]).seal('secret', '')

const faults: Array<[code: string, cause: string, make: () => Promise<Undo>]> = [
  [
    'schema-ahead',
    'a database of a newer release',
    () => changes.update('schema_version', 'schema', { version: 99, oldest_code: 98 }),
  ],
  [
    'index-missing',
    'a dropped index',
    async () => {
      await changes.collection('supplies').dropIndex('id')
      return () => changes.collection('supplies').createIndex({ id: 1 }, { name: 'id' })
    },
  ],
  ['counter-behind', 'a counter of an older backup', () => changes.update('counters', 'storages', { value: 0 })],
  ['supply-without-product', 'a lost product', () => changes.update('supplies', '1:1:1', { product_id: 9 })],
  [
    'supply-without-storage',
    'a lost storage of a supply',
    () => changes.update('supplies', '1:1:1', { storage_id: 8 }),
  ],
  ['supply-without-pick-up-point', 'a lost point', () => changes.update('supplies', '1:1:1', { pick_up_point_id: 8 })],
  [
    'pick-up-point-without-storage',
    'a lost storage',
    () => changes.update('pick_up_points', 1, { storage_ids: [1, 8] }),
  ],
  [
    'secrets-unreadable',
    'a header under another key',
    () => changes.update('storages', 1, { 'supplier.headers': [{ name: 'X-Key', sealed: sealedElsewhere }] }),
  ],
  ['outbox-overdue', 'events that are not published', () => changes.insert('outbox', { _id: 'old', at: new Date(0) })],
]

it('finds nothing in a healthy service', async () => {
  expect(await findings()).toEqual([])
})

describe('finds', () => {
  it.each(faults)('%s: %s', async (code, _cause, make) => {
    const undo = await make()
    try {
      expect(await codes()).toContain(code)
      for (const { message, advice } of await findings()) expect([message, advice]).not.toContain('')
    } finally {
      await undo()
    }
  })

  it('service-away: a catalog that does not run', async () => {
    catalog.unsubscribe()
    await stock.connection.nc.flush()
    expect(await codes()).toEqual(['service-away'])
    catalog = startCatalog()
    await stock.connection.nc.flush()
  })
})

it('repairs what loses nothing, and leaves the rest', async () => {
  const undo = await Promise.all([
    changes.update('counters', 'supplies', { value: 0 }),
    changes.update('supplies', '1:1:1', { product_id: 9 }),
  ])
  expect((await findings(true)).map(({ code, isFixed }) => `${code} ${isFixed ?? 'left'}`).sort()).toEqual([
    'counter-behind true',
    'supply-without-product left',
  ])
  expect(await codes()).toEqual(['supply-without-product'])
  for (const back of undo) await back()
})
