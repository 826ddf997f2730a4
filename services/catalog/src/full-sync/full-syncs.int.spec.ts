import {
  cancelFullSync,
  completeFullSync,
  getFullSync,
  listNotSent,
  startFullSync,
} from '@partsbus/contracts/catalog/full-sync'
import { getCategory, getProduct, upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { deactivateProducts } from '../products/deactivate-products.js'
import { ProductStore, ProductWriter } from '../products/product-store.js'
import { ErpBatches } from './erp-batches.js'
import { FullSyncSweep } from './full-sync-sweep.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog.stop())

const items = (...ids: string[]) => ids.map((id) => ({ id_erp: id, name: id }))
/** The background goes on with a sync, too, and may be at it. */
const completed = (id: string) =>
  waitFor(
    () => catalog.ask(completeFullSync, { id, max_deactivated_percent: 100 }),
    ({ status }) => status === 'completed',
    60_000,
  )
const isActive = async (erp_id: string) => (await catalog.ask(getProduct, { erp_id })).is_active

describe('a full sync in the catalog', () => {
  it('deactivates the kinds that it sent, and goes on after a crash (erp.md#full-sync-5)', async () => {
    await catalog.products(items('a', 'b', 'c'))
    await catalog.categories(items('k', 'l'))
    const { id } = await catalog.ask(startFullSync, {})
    await catalog.send(upsertProducts, items('a'), {}, { fullSync: id })
    await catalog.send(upsertCategories, items('k'), {}, { fullSync: id })
    await expect(catalog.ask(completeFullSync, { id, max_deactivated_percent: 50 })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { counts: { products: { active: 3, not_sent: 2 }, categories: { active: 2, not_sent: 1 } } },
    })
    // erp.md#full-sync-7
    const listed = await catalog.ask(listNotSent, { id, kind: 'products' })
    expect(listed).toEqual({ ids_erp: ['b', 'c'], next_after: null })
    expect(await catalog.ask(listNotSent, { id, kind: 'categories' })).toMatchObject({ ids_erp: ['l'] })
    // as a process leaves it that dies right after its decision
    const deactivated = { categories: 1, products: 2 }
    await catalog.db
      .collection<{ _id: string }>('full_syncs')
      .updateOne({ _id: id }, { $set: { status: 'completing', deactivated } })
    await catalog.get(FullSyncSweep).resume(() => false)
    expect(await completed(id)).toMatchObject({ deactivated })
    expect([await isActive('a'), await isActive('b'), await isActive('c')]).toEqual([true, false, false])
    const active = async (erp_id: string) => (await catalog.ask(getCategory, { erp_id })).is_active
    expect([await active('k'), await active('l')]).toEqual([true, false])
  })

  it('lists what was not sent in pages of 1,000 (erp.md#full-sync-7)', async () => {
    const ids = Array.from({ length: 2_001 }, (_, at) => `page-${at}`)
    for (let at = 0; at < ids.length; at += 1_000) await catalog.products(items(...ids.slice(at, at + 1_000)))
    const { id } = await catalog.ask(startFullSync, {})
    await catalog.send(upsertProducts, items('a', 'page-5'), {}, { fullSync: id })
    const pages = []
    for (let after: number | null = 0; after !== null;) {
      const page: { ids_erp: string[]; next_after: number | null } = await catalog.ask(listNotSent, {
        id,
        kind: 'products',
        after,
      })
      pages.push(page.ids_erp)
      after = page.next_after
    }
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000])
    expect(pages.flat().toSorted()).toEqual(ids.filter((one) => one !== 'page-5').toSorted())
    await catalog.ask(cancelFullSync, { id })
  })

  it('keeps what a batch sends while the sync is completed (erp.md#full-sync-5)', async () => {
    await catalog.products(items('late', 'late-2'))
    const { id } = await catalog.ask(startFullSync, {})
    await catalog.send(upsertProducts, items('other'), {}, { fullSync: id })
    const batches = catalog.get(ErpBatches)
    const store = catalog.get(ProductStore)
    const call = (key: string) =>
      ({ fullSync: id, body: { items: items(key) } }) as unknown as Parameters<typeof batches.process>[1]
    await batches.process('products', call('late'), store, async () => {
      await catalog.products(items('late'))
      await completed(id)
    })
    expect([await isActive('late'), await isActive('late-2')]).toEqual([true, false])
    // a new item has the mark as well: clocks of two processes may differ
    expect(await catalog.db.collection('products').findOne({ _id: 'other' as never })).toMatchObject({ full_sync: id })
    // marked after the sweep has read it, before the sweep writes
    await catalog.products(items('late-2'))
    const read = jest.spyOn(store, 'findByErpIds')
    const readAgain = jest.spyOn(store, 'readSlice')
    const { findByErpIds } = ProductStore.prototype
    read.mockImplementationOnce(async (keys) => {
      const found = await findByErpIds.call(store, keys)
      await store.markSent(['late-2'], id)
      return found
    })
    await deactivateProducts({ body: { ids_erp: ['late-2'] }, notSentIn: id }, store, catalog.get(ProductWriter))
    expect([read, readAgain].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    for (const spy of [read, readAgain]) spy.mockRestore()
    expect(await isActive('late-2')).toBe(true)
  })

  it('ends after 7 days, so that the next one can start (erp.md#full-sync-6)', async () => {
    const { id } = await catalog.ask(startFullSync, {})
    await expect(catalog.ask(startFullSync, {})).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { full_sync: { id } },
    })
    const started_at = new Date(Date.now() - 8 * 24 * 3_600_000)
    await catalog.db.collection<{ _id: string }>('full_syncs').updateOne({ _id: id }, { $set: { started_at } })
    const send = catalog.send(upsertProducts, items('a'), {}, { fullSync: id })
    await expect(send).rejects.toMatchObject({ code: 'CONTRACT_VIOLATION' })
    expect(await catalog.ask(getFullSync, { id })).toMatchObject({ status: 'cancelled' })
    const complete = catalog.ask(completeFullSync, { id, max_deactivated_percent: 100 })
    await expect(complete).rejects.toMatchObject({ code: 'CONFLICT', message: 'The full sync is not open.' })
    const next = await catalog.ask(startFullSync, {})
    expect(next.id).not.toBe(id)
    await catalog.ask(cancelFullSync, { id: next.id })
  })
})
