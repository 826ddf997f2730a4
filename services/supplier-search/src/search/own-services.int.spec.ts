import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findProductsByArticle } from '@partsbus/contracts/catalog/commands'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import { findSupplies, resolveStorages } from '@partsbus/contracts/stock/commands'
import { type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
beforeAll(async () => {
  search = await startSearchUnderTest()
})
afterAll(() => search.stop())

beforeEach(() => {
  Object.assign(search.world, {
    storages: [
      { id: 3, name: 'Shelf', supplier: { kind: 'own-stock' } },
      { id: 5, name: 'List', supplier: { kind: 'price-list' } },
      { id: 7, name: 'Far shelf', supplier: { kind: 'own-stock' } },
    ],
    points: { 1: [5], 2: [3, 5] },
    products: [
      { id: 10, brand: 'Knecht', article: 'OC 90', article_key: 'OC90', name: 'Oil filter' },
      { id: 11, brand: 'MANN', article: 'OC-90', article_key: 'OC90', name: '-' },
      { id: 12, brand: null, article: 'OC90', article_key: 'OC90', name: 'No brand' },
    ],
    supplies: [
      { product_id: 10, storage_id: 3, quantity: 4, selling_price: 12.5, delivery_days: 1 },
      { product_id: 10, storage_id: 7, quantity: 0, selling_price: 12.5, delivery_days: 1 },
      { product_id: 11, storage_id: 7, quantity: 2, selling_price: null, delivery_days: 0 },
    ],
    offers: [
      {
        storage_id: 5,
        article_key: 'OC90',
        brand: 'KNECHT',
        article: 'OC90',
        name: 'Filter',
        quantity: 9,
        price: 11,
        delivery_days: null,
      },
    ],
  })
})

const shelf = { storage_id: 3, storage_name: 'Shelf' }
const list = { storage_id: 5, storage_name: 'List' }

describe('own stock and price lists', () => {
  it('get-brands finds any spelling of the article, merges brands of all storages, omits nameless ones', async () => {
    expect(await search.ask(findBrands, { article: ' oc.90 ' })).toEqual({
      result: true,
      message: 'OK',
      brands: [{ brand: 'KNECHT', article: 'OC 90', name: 'Oil filter', storages: [shelf, list] }],
      suppliers: '3=ok,5=ok,7=ok',
    })
  })

  it('a storage whose header values cannot be decrypted has the outcome error, and the others answer', async () => {
    search.world.storages = [...search.world.storages, { id: 9, name: 'Sealed', supplier: null }]
    expect(await search.ask(findBrands, { article: 'oc90' })).toMatchObject({
      result: true,
      message: 'Partial result: 1 of 4 suppliers did not answer.',
      suppliers: '3=ok,5=ok,7=ok,9=error',
    })
  })

  it('a storage whose supplier is of a kind that a newer stock service knows has the outcome error', async () => {
    const supplier = { kind: 'kind-of-tomorrow' } as unknown as Supplier
    search.world.storages = [...search.world.storages.filter(({ id }) => id !== 9), { id: 9, name: 'New', supplier }]
    expect(await search.ask(findBrands, { article: 'oc90' })).toMatchObject({
      message: 'Partial result: 1 of 4 suppliers did not answer.',
      suppliers: '3=ok,5=ok,7=ok,9=error',
    })
  })

  it('get-parts sorts by price with missing ones last, and offers own stock at the selling price', async () => {
    expect(await search.ask(findParts, { article: 'oc90', brands: ['knecht', 'Mann'] })).toEqual({
      result: true,
      message: 'OK',
      parts: [
        { brand: 'KNECHT', article: 'OC90', name: 'Filter', quantity: 9, price: 11, ...list },
        { brand: 'KNECHT', article: 'OC 90', name: 'Oil filter', quantity: 4, price: 12.5, delivery_days: 1, ...shelf },
        {
          brand: 'MANN',
          article: 'OC-90',
          name: '-',
          quantity: 2,
          delivery_days: 0,
          storage_id: 7,
          storage_name: 'Far shelf',
        },
      ],
      suppliers: '3=ok,5=ok,7=ok',
    })
    expect(await search.ask(findParts, { article: 'oc90', brands: ['Bosch'] })).toMatchObject({
      result: true,
      message: 'OK',
      parts: [],
    })
  })

  it.each<[string, number[] | null | undefined, string]>([
    ['asks the storages of the setting when points are absent', undefined, '3=ok,5=ok,7=ok'],
    ['asks the storages of the setting when points are null', null, '3=ok,5=ok,7=ok'],
    ['asks the storages of a point', [1], '5=ok'],
    ['asks each storage of several points once', [1, 2], '3=ok,5=ok'],
    ['asks no storage for no points', [], ''],
    ['asks no storage for unknown points', [99], ''],
  ])('%s', async (_rule, pick_up_points, suppliers) => {
    const found = await search.ask(findBrands, {
      article: 'OC90',
      ...(pick_up_points !== undefined && { pick_up_points }),
    })
    expect(found).toMatchObject({ result: true, message: 'OK', suppliers })
    expect(found.brands).toHaveLength(suppliers === '' ? 0 : 1)
  })

  it('asks no storage for an article without letters and digits', async () => {
    expect(await search.ask(findBrands, { article: ' - ' })).toEqual({
      result: true,
      message: 'OK',
      brands: [],
      suppliers: '',
    })
  })

  it('says when parts are left out', async () => {
    search.world.offers = Array.from({ length: 5_010 }, (_, at) => ({
      storage_id: 5,
      article_key: 'OC90',
      brand: 'KNECHT',
      article: 'OC90',
      name: 'Filter',
      quantity: 1,
      price: at,
      delivery_days: null,
    }))
    expect(await search.ask(findParts, { article: 'oc90', brands: ['Knecht'] })).toMatchObject({
      result: true,
      message: 'Partial result: 5000 of 5011 parts.',
      suppliers: '3=ok,5=ok,7=ok',
    })
  })

  it('does not offer own products without a brand (rules.md#own-stock)', async () => {
    search.world.products = search.world.products.filter(({ brand }) => brand === null)
    search.world.supplies = [{ product_id: 12, storage_id: 3, quantity: 4, selling_price: 1, delivery_days: 1 }]
    expect(await search.ask(findBrands, { article: 'oc90' })).toMatchObject({
      brands: [{ brand: 'KNECHT', storages: [list] }],
    })
  })

  it('asks the stock service and the price lists for at most 1,000 storages at once', async () => {
    const storages = Array.from({ length: 1_500 }, (_, at) => ({
      id: at + 1,
      name: `Shelf ${at}`,
      supplier: { kind: at % 2 === 0 ? ('own-stock' as const) : ('price-list' as const) },
    }))
    const doubled = [...storages, ...storages.map((each) => ({ ...each, id: each.id + 1_500 }))]
    search.world.storages = doubled
    search.world.points = { 1: doubled.map(({ id }) => id) }
    search.world.supplies = [{ product_id: 10, storage_id: 2_999, quantity: 4, selling_price: 1, delivery_days: 1 }]
    const request = { article: 'oc90', brands: ['Knecht'], pick_up_points: [1] }
    const found = await search.ask(findParts, request, { storages: [] })
    expect([found.message, found.parts.map(({ storage_id }) => storage_id)]).toEqual(['OK', [2_999]])
  })

  it('answers without the storages of a service that is down, without waiting', async () => {
    search.stopOther(findOffers)
    const started = performance.now()
    expect(await search.ask(findBrands, { article: 'OC90' })).toMatchObject({
      result: true,
      message: 'Partial result: 1 of 3 suppliers did not answer.',
      suppliers: '3=ok,5=error,7=ok',
      brands: [{ storages: [shelf] }],
    })
    search.stopOther(findProductsByArticle)
    expect(await search.ask(findBrands, { article: 'OC90' })).toEqual({
      result: false,
      message: 'No supplier answered.',
      brands: [],
      suppliers: '3=error,5=error,7=error',
    })
    expect(performance.now() - started).toBeLessThan(10_000)
    search.startOther(findOffers)
    search.startOther(findProductsByArticle)
    expect(await search.ask(findBrands, { article: 'OC90' })).toMatchObject({ suppliers: '3=ok,5=ok,7=ok' })
  })

  it('asks the storages of the last read while the stock service is down, and fails without one', async () => {
    await search.ask(findBrands, { article: 'OC90', pick_up_points: [2] })
    search.stopOther(resolveStorages)
    search.stopOther(findSupplies)
    expect(await search.ask(findBrands, { article: 'OC90', pick_up_points: [2] })).toMatchObject({
      result: true,
      message: 'Partial result: 1 of 2 suppliers did not answer.',
      suppliers: '3=error,5=ok',
    })
    await expect(search.ask(findBrands, { article: 'OC90', pick_up_points: [2, 98] })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    search.startOther(resolveStorages)
    search.startOther(findSupplies)
  })

  it('shares reads among concurrent queries, and each sees earlier changes (rules.md#suppliers-fresh)', async () => {
    const ask = async (): Promise<number | undefined> =>
      (await search.ask(findParts, { article: 'oc90', brands: ['knecht'] })).parts.find(
        ({ storage_id }) => storage_id === 5,
      )?.price
    await ask()
    const before = { storages: search.requestCount(resolveStorages), offers: search.requestCount(findOffers) }
    expect(new Set(await Promise.all(Array.from({ length: 40 }, ask)))).toEqual(new Set([11]))
    // one each second, and one each 0.6 s in the background
    expect(search.requestCount(resolveStorages) - before.storages).toBeLessThan(10)
    expect(search.requestCount(findOffers) - before.offers).toBeLessThan(20)
    for (let price = 1; price <= 20; price += 1) {
      const others = [ask(), ask()]
      search.world.offers = search.world.offers.map((offer) => ({ ...offer, price }))
      expect(await ask()).toBe(price)
      await Promise.all(others)
    }
  })

  it('sees changed storages and points in the next query', async () => {
    const suppliers = async (): Promise<string> =>
      (await search.ask(findBrands, { article: 'OC90', pick_up_points: [2] })).suppliers
    expect(await suppliers()).toBe('3=ok,5=ok')
    search.world.points = { 2: [5, 7] }
    expect(await suppliers()).toBe('5=ok,7=ok')
    search.world.storages = search.world.storages.map((each) =>
      each.id === 5 ? { ...each, supplier: { kind: 'own-stock' } } : each,
    )
    expect((await search.ask(findBrands, { article: 'OC90', pick_up_points: [2] })).brands).toEqual([])
  })

  it.each<[object, string]>([
    [{ article: '' }, 'article'],
    [{}, 'article'],
    [{ article: 5 }, 'article'],
    [{ article: 'x'.repeat(192) }, 'article'],
    [{ article: { $gt: '' } }, 'article'],
    [{ article: 'x', pick_up_points: ['1'] }, 'pick_up_points.0'],
    [{ article: 'x', pick_up_points: Array.from({ length: 1_001 }, (_, at) => at + 1) }, 'pick_up_points'],
  ])('refuses %j', async (body, field) => {
    await expect(search.ask(findBrands, body as { article: string })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { [field]: [expect.any(String)] } },
    })
  })

  it.each<[unknown]>([[undefined], [[]], ['Knecht'], [Array.from({ length: 101 }, () => 'x')], [['']], [[5]]])(
    'refuses brands %j',
    async (brands) => {
      await expect(search.ask(findParts, { article: 'x', brands: brands as string[] })).rejects.toMatchObject({
        code: 'CONTRACT_VIOLATION',
      })
    },
  )
})
