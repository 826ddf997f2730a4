import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Finding } from '@partsbus/contracts/diagnosis'
import { findExistingProducts } from '@partsbus/contracts/catalog/commands'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { changeDocuments, type DocumentChanges, type Undo } from '@partsbus/test-kit/change-documents'
import { type CatalogUnderTest, startCatalogUnderTest } from './testing/catalog-under-test.js'

jest.setTimeout(60_000)

let catalog: CatalogUnderTest
let changes: DocumentChanges

beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  changes = changeDocuments(catalog.db)
  for (const name of ['product', 'media']) await changes.update('counters', name, { value: 5 })
  await changes.insert('products', { _id: 'P-1', id: 1, slug: 'a', media: [{ id: 1 }] })
  await changes.insert('media', { _id: 1, sha256: 'ab' })
  await changes.insert('media.chunks', { _id: 'ab/0', n: 0, data: Buffer.from('x') })
})
afterAll(() => catalog?.stop())

async function findings(isFixing = false): Promise<Finding[]> {
  return (await askService({ request: catalog.ask }, 'catalog', isFixing))?.findings ?? []
}
const codes = async (): Promise<string[]> => (await findings()).map(({ code }) => code)

async function rememberProduct(id: number): Promise<Undo> {
  const before = catalog.stock.highestProductId
  catalog.stock.highestProductId = id
  return async () => (catalog.stock.highestProductId = before)
}

const faults: Array<[code: string, cause: string, make: () => Promise<Undo>]> = [
  [
    'schema-behind',
    'a database that is not migrated',
    () => changes.update('schema_version', 'schema', { version: 0 }),
  ],
  ['product-counter-behind-stock', 'an older catalog', () => rememberProduct(9)],
  [
    'duplicate-id',
    'two products of one id',
    () => changes.insert('products', { _id: 'P-2', id: 1, slug: 'b', media: [] }),
  ],
  [
    'image-without-record',
    'a lost record of an image',
    () => changes.update('products', 'P-1', { media: [{ id: 4 }] }),
  ],
  ['file-missing', 'lost bytes of an image', () => changes.remove('media.chunks', 'ab/0')],
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
})

it('raises the counter of products above those that the stock remembers', async () => {
  const undo = await rememberProduct(9)
  expect(await findings(true)).toMatchObject([{ code: 'product-counter-behind-stock', isFixed: true }])
  expect(await findings()).toEqual([])
  expect(await changes.collection('counters').findOne({ _id: 'product' })).toMatchObject({ value: 9 + SKIPPED_IDS })
  await undo()
})

it('says which products exist', async () => {
  expect(await catalog.ask(findExistingProducts, { ids: [1, 2] })).toEqual({ ids: [1] })
})
