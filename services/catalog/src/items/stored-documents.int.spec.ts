import { deactivateProducts, getProduct, listCategories } from '@partsbus/contracts/catalog/commands'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { cpuMs } from '@partsbus/test-kit/durations'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CategoryStore } from '../categories/category-store.js'
import { ProductStore } from '../products/product-store.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

describe('a document stored by a version without one of the fields', () => {
  it('reads as if it had the default, and an identical item does not rewrite it', async () => {
    const products = [{ id_erp: 'old', name: 'Old' }]
    const categories = [{ id_erp: 'old', name: 'Old' }]
    await catalog.products(products)
    await catalog.categories(categories)
    await catalog
      .get(ProductStore)
      .collection.updateOne({ _id: 'old' }, { $unset: { brand: '', sort: '', attributes: '', deleted_at: '' } })
    await catalog
      .get(CategoryStore)
      .collection.updateOne({ _id: 'old' }, { $unset: { description: '', pending_parent_erp_id: '' } })
    const before = await catalog.db.collection<{ _id: string }>('products').findOne({ _id: 'old' })

    expect(await catalog.ask(getProduct, { erp_id: 'old' })).toMatchObject({ brand: null, sort: 0, attributes: [] })
    expect(await catalog.products(products)).toMatchObject({ updated: 1 })
    expect(await catalog.categories(categories)).toMatchObject({ updated: 1 })

    expect(await catalog.db.collection<{ _id: string }>('products').findOne({ _id: 'old' })).toEqual(before)
    expect(await catalog.db.collection<{ _id: string }>('categories').findOne({ _id: 'old' })).toMatchObject({ rev: 1 })
  })
})

describe('a counter that is behind the stored ids', () => {
  it('is raised when a process starts', async () => {
    await catalog.products([1, 2, 3].map((n) => ({ id_erp: `c${n}`, name: 'C' })))
    await catalog.categories([{ id_erp: 'c1', name: 'C' }])
    const counters = catalog.db.collection<{ _id: string; value: number }>('counters')
    await counters.updateMany({ _id: { $in: ['product', 'category', 'media', 'media_jobs'] } }, { $set: { value: 0 } })
    await catalog.db.collection<{ _id: number }>('media').insertOne({ _id: 77 })
    await catalog.db
      .collection<{ _id: string; undone: boolean; images: unknown[]; due_at: Date }>('media_sets')
      .insertOne({ _id: 'product:x', undone: true, images: [{ id: 55 }, { id: 56 }], due_at: new Date('9999-01-01') })
    await (await catalog.startReplica()).stop()
    const values = new Map((await counters.find().toArray()).map(({ _id, value }) => [_id, value]))
    expect(values.get('product')).toBe((await catalog.get(ProductStore).findHighestId()) + SKIPPED_IDS)
    expect(values.get('category')).toBe((await catalog.get(CategoryStore).findHighestId()) + SKIPPED_IDS)
    expect([values.get('media'), values.get('media_jobs')]).toEqual([77 + SKIPPED_IDS, 56 + SKIPPED_IDS])
  })
})

describe('a list of items', () => {
  it('has the same pages by number as by id, with gaps in the ids', async () => {
    await catalog.products(Array.from({ length: 40 }, (_, at) => ({ id_erp: `page-${at}`, name: 'P' })))
    const products = catalog.get(ProductStore)
    await products.collection.updateOne({ _id: 'page-39' }, { $set: { id: 700_000 } })
    const all = await products.collection.find().sort({ id: 1 }).toArray()
    for (const per_page of [7, all.length]) {
      const byNumber: string[] = []
      for (let page = 1; page <= Math.ceil(all.length / per_page) + 1; page += 1)
        byNumber.push(...(await products.findPage({}, { page, per_page })).map(({ _id }) => _id))
      expect(byNumber).toEqual(all.map(({ _id }) => _id))
      const byId: string[] = []
      for (let after_id = 0, size = per_page; size === per_page;) {
        const docs = await products.findPage({}, { page: 1, per_page, after_id })
        byId.push(...docs.map(({ _id }) => _id))
        after_id = docs.at(-1)?.id ?? after_id
        size = docs.length
      }
      expect(byId).toEqual(byNumber)
    }
  })
})

describe('countAll', () => {
  it('counts exactly, also when part of the ids is counted only once', async () => {
    const store = catalog.get(ProductStore)
    const stored = await store.collection.countDocuments()
    expect(await store.countAll()).toBe(stored)
    await catalog.products([{ id_erp: 'far', name: 'F' }])
    await store.collection.updateOne({ _id: 'far' }, { $set: { id: 5_000_000 } })
    expect([await store.countAll(), await store.countAll()]).toEqual([stored + 1, stored + 1])
    await catalog.products([{ id_erp: 'next', name: 'N' }])
    await store.collection.updateOne({ _id: 'next' }, { $set: { id: 9_000_000 } })
    expect(await store.countAll()).toBe(stored + 2)
  })
})

it('continues behind after_id in lists of categories (admin.md#keyset)', async () => {
  await catalog.categories([1, 2, 3, 4].map((n) => ({ id_erp: `k${n}`, name: 'K' })))
  const all = await catalog.ask(listCategories, { page: 1, per_page: 500 })
  const after_id = all.data[1]?.id
  const rest = await catalog.ask(listCategories, { page: 1, per_page: 2, after_id })
  expect(rest).toEqual({ data: all.data.slice(2, 4), total: all.total, page: 1, per_page: 2 })
})

describe('millions of ids to deactivate (rules.md#violations)', () => {
  it('are rejected at a bounded cost, without ending the process', async () => {
    const body = Buffer.from(`{"ids_erp":[${'1,'.repeat(3_999_999)}1]}`)
    const spent = await cpuMs(() =>
      expect(catalog.forward(deactivateProducts, body)).rejects.toMatchObject({
        details: {
          errors: { ids_erp: ['The ids_erp must not have more than 1000 items (setting erp_max_batch_items).'] },
        },
      }),
    )
    expect(spent).toBeLessThan(10_000)
    expect((await catalog.ask(getProduct, { erp_id: 'old' })).name).toBe('Old')
  })
})

it('answers 200 with a shortened list when the errors of a batch do not fit (erp.md#batch-fits)', async () => {
  const attributes = Array.from({ length: 500 }, () => 1)
  const items = [
    { id_erp: 'valid', name: 'V' },
    ...Array.from({ length: 999 }, (_, n) => ({ id_erp: `x${n}`, name: 'n', attributes })),
  ]
  const result = await catalog.products(items, { erp_error_policy: 'reject_failed_rows' })
  expect(result).toMatchObject({ processed: 1_000, created: 1, updated: 0 })
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8 * 1024 * 1024)
  expect(await catalog.ask(getProduct, { erp_id: 'valid' })).toMatchObject({ name: 'V' })
})
