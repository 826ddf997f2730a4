import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  listPickUpPoints,
  listStorages,
  updateStocks,
} from '@partsbus/contracts/stock/commands'
import { getStockOverview, getStockReferences, revealSupplier } from '@partsbus/contracts/stock/overview'
import { startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'

let stock: StockUnderTest
let storageId: number
beforeAll(async () => {
  stock = await startStockUnderTest()
  stock.products.set('p-1', 1)
  const { id } = await stock.ask(createStorage, { name: 'Shelf' })
  const supplier = {
    kind: 'http' as const,
    base_url: 'https://parts.example/api',
    headers: { Authorization: 's3cret' },
  }
  storageId = (await stock.ask(createStorage, { name: 'North', supplier, is_active: false })).id
  await stock.ask(createPickUpPoint, { name: 'Shop', storage_ids: [id] })
  await stock.ask(createPickUpPoint, { name: 'Closed', storage_ids: [storageId], is_active: false })
})
afterAll(() => stock?.stop())

describe('figures and names of stock (admin.md#overview, admin.md#names)', () => {
  const storages = [
    { id: expect.any(Number), name: 'Shelf', is_active: true, kind: 'own-stock', in_search: true },
    { id: expect.any(Number), name: 'North', is_active: false, kind: 'http', in_search: false },
  ]

  it('counts supplies, storages and points, and knows the last update of the ERP', async () => {
    expect(await stock.ask(getStockOverview, {})).toEqual({
      supplies: 0,
      storages: 2,
      pick_up_points: 2,
      last_update_at: null,
      storage_references: storages,
      unreadable: [],
    })
    const before = Date.now()
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 3 }])
    const { supplies, last_update_at } = await stock.ask(getStockOverview, {})
    expect(supplies).toBe(1)
    expect(Date.parse(last_update_at ?? '')).toBeGreaterThanOrEqual(before)
  })

  it('names all storages and points', async () => {
    expect(await stock.ask(getStockReferences, {})).toEqual({
      storages,
      pick_up_points: [
        { id: expect.any(Number), name: 'Shop', is_active: true },
        { id: expect.any(Number), name: 'Closed', is_active: false },
      ],
    })
  })

  // admin.md#storage-in-search
  it('says which storages a search asks: those of the setting, and those of an active point', async () => {
    const inSearch = async (storages_for_crosses: number[]) =>
      (await stock.ask(getStockReferences, {}, { storages_for_crosses })).storages.map(({ in_search }) => in_search)
    expect(await inSearch([])).toEqual([true, false])
    expect(await inSearch([storageId])).toEqual([true, true])
  })

  it('names the storages whose header values cannot be decrypted', async () => {
    const filter = { 'supplier.headers.0': { $exists: true } }
    const collection = stock.db.collection('storages')
    const stored = await collection.findOne(filter)
    await collection.updateOne(filter, { $set: { 'supplier.headers.0.sealed': 'v2:00000000:a:b:c' } })
    expect((await stock.ask(getStockOverview, {})).unreadable).toEqual([{ id: storageId, name: 'North' }])
    const supplier = { kind: 'http' as const, base_url: 'https://parts.example/', headers: { Authorization: '***' } }
    expect(await stock.ask(revealSupplier, { storage_id: storageId, supplier })).toEqual({ supplier: null })
    await collection.updateOne(filter, { $set: { supplier: stored?.supplier } })
  })
})

describe('the stored header values of a supplier before it is saved (admin.md#supplier-test, admin.md#secrets)', () => {
  const supplier = (base_url: string, value = '***') => ({
    kind: 'http' as const,
    base_url,
    headers: { authorization: value },
  })

  it('are put in place of "***" at the stored address', async () => {
    const body = { storage_id: storageId, supplier: supplier('https://parts.example/v2') }
    expect((await stock.ask(revealSupplier, body)).supplier).toMatchObject({
      base_url: 'https://parts.example/v2',
      headers: { authorization: 's3cret' },
    })
  })

  it.each([
    ['http://parts.example/api', 'scheme'],
    ['https://evil.example/api', 'host'],
    ['https://parts.example:8443/api', 'port'],
  ])('are not given to %s: another %s', async (base_url) => {
    await expect(
      stock.ask(revealSupplier, { storage_id: storageId, supplier: supplier(base_url) }),
    ).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: {
        errors: {
          'supplier.headers.authorization': ['The password must be sent again, because the address changed.'],
        },
      },
    })
  })

  it('are missing without a storage, and for an unknown one', async () => {
    await expect(stock.ask(revealSupplier, { supplier: supplier('https://parts.example/api') })).rejects.toMatchObject({
      details: {
        errors: { 'supplier.headers.authorization': ['The header authorization has no stored value to keep.'] },
      },
    })
    await expect(
      stock.ask(revealSupplier, { storage_id: 9_999, supplier: supplier('https://parts.example/api') }),
    ).rejects.toMatchObject({ details: { errors: { storage_id: ['The selected storage_id is invalid.'] } } })
  })

  it('leaves values that were sent as they are', async () => {
    const body = { storage_id: storageId, supplier: supplier('https://other.example/', 'new') }
    expect((await stock.ask(revealSupplier, body)).supplier).toMatchObject({ headers: { authorization: 'new' } })
  })
})

describe('searches in lists (admin.md#list-filters)', () => {
  it.each([
    ['SHEL', ['Shelf']],
    ['nor', ['North']],
    ['.', []],
    [' ', ['Shelf', 'North']],
  ])('finds storages by %j', async (q, names) => {
    const { data, total } = await stock.ask(listStorages, { page: 1, per_page: 50, q })
    expect([data.map(({ name }) => name), total]).toEqual([names, names.length])
  })

  it.each([
    ['риг', ['Depot']],
    ['12(b)', ['Depot']],
    ['shop', ['Shop']],
    ['(', ['Depot']],
  ])('finds pick-up points by %j', async (q, names) => {
    const depots = await stock.ask(listPickUpPoints, { page: 1, per_page: 1, q: 'Depot' })
    if (depots.total === 0) await stock.ask(createPickUpPoint, { name: 'Depot', city: 'Рига', address: 'Street 12(b)' })
    const { data, total } = await stock.ask(listPickUpPoints, { page: 1, per_page: 50, q })
    expect([data.map(({ name }) => name), total]).toEqual([names, names.length])
  })
})
