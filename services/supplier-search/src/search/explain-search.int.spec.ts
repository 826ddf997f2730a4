import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import { getStockReferences } from '@partsbus/contracts/stock/overview'
import { explainBrands, explainParts } from '@partsbus/contracts/supplier-search/overview'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
let supplier: FakeSupplier
let slow: FakeSupplier
beforeAll(async () => {
  search = await startSearchUnderTest()
  ;[supplier, slow] = await Promise.all([startFakeSupplier(), startFakeSupplier()])
  slow.respond(() => undefined)
})
afterAll(async () => {
  await search?.stop()
  await Promise.all([supplier?.close(), slow?.close()])
})

const row = { brand: 'MAHLE', article: 'OC 1051', name: 'Filter' }
beforeEach(() => {
  supplier.offer({ brands: [row, { ...row, article: 'other' }], parts: [{ ...row, quantity: 2, price: 5 }] })
  search.world.offers = [
    { ...row, storage_id: 2, quantity: 1, price: 7, delivery_days: 1, article_key: 'OC1051' },
    { ...row, storage_id: 2, quantity: 3, price: 9, delivery_days: 1, article_key: 'OC1051' },
  ]
  search.world.storages = [
    { id: 1, name: 'Berg', supplier: httpSupplier(supplier, { cache_seconds: 600 }) },
    { id: 2, name: 'Lists', supplier: { kind: 'price-list' } },
    { id: 3, name: 'Slow', supplier: httpSupplier(slow, { timeout_ms: 150 }) },
    { id: 4, name: 'Sealed', supplier: null },
  ]
})

const outcome = { ms: expect.any(Number), from_cache: false, error: null }

describe('the search with what each storage did (admin.md#search-explain)', () => {
  it("answers the partner's brands, and each outcome in words", async () => {
    const { suppliers, ...explained } = await search.ask(explainBrands, { article: 'oc 1051' })
    const { suppliers: header, ...partner } = await search.ask(findBrands, { article: 'oc 1051' })
    const asked = { asked: 4, of: 4, also_in: [], sold_out: [] }
    expect(explained).toEqual({ ...partner, article_key: 'OC1051', asked_by: 'storages_for_crosses', ...asked })
    expect(header).toBe('1=ok,2=ok,3=timeout,4=error')
    expect(suppliers).toEqual([
      { storage_id: 1, storage_name: 'Berg', kind: 'http', outcome: 'ok', rows: 2, ...outcome },
      { storage_id: 2, storage_name: 'Lists', kind: 'price-list', outcome: 'ok', rows: 2, ...outcome },
      {
        storage_id: 3,
        storage_name: 'Slow',
        kind: 'http',
        outcome: 'timeout',
        rows: 0,
        ...outcome,
        error: 'No answer within 150 ms.',
      },
      {
        storage_id: 4,
        storage_name: 'Sealed',
        kind: null,
        outcome: 'error',
        rows: 0,
        ...outcome,
        ms: 0,
        error: expect.stringContaining('SECRETS_KEY'),
      },
    ])
    expect(suppliers[2]?.ms).toBeGreaterThanOrEqual(140)
  })

  it("answers the partner's parts, and which came from the cache", async () => {
    const body = { article: 'OC1051', brands: ['mahle'] }
    const { parts, message } = await search.ask(findParts, body)
    const explained = await search.ask(explainParts, body)
    expect(explained).toMatchObject({ parts, message, article_key: 'OC1051' })
    expect(explained.parts.map(({ price }) => price)).toEqual([5, 7, 9])
    expect(explained.suppliers.map(({ from_cache }) => from_cache)).toEqual([true, false, false, false])
  })

  it('says that a service of our own did not answer', async () => {
    search.stopOther(findOffers)
    search.world.storages = search.world.storages.slice(1, 2)
    const { result, suppliers } = await search.ask(explainBrands, { article: 'OC1051' })
    search.startOther(findOffers)
    expect(result).toBe(false)
    expect(suppliers).toMatchObject([{ outcome: 'error', error: 'The price-list service did not answer.' }])
  })

  it('says that a supplier was not asked because it kept failing', async () => {
    supplier.respond((_request, response) => sendJson(response, {}, 500))
    search.world.storages = [{ id: 1, name: 'Berg', supplier: httpSupplier(supplier, { timeout_ms: 900 }) }]
    const ask = async () => (await search.ask(explainBrands, { article: 'X1' })).suppliers[0]
    for (let time = 0; time < 5; time += 1) expect(await ask()).toMatchObject({ outcome: 'error' })
    const asked = supplier.requests.length
    expect(await ask()).toMatchObject({
      outcome: 'cut-off',
      error: 'The supplier failed several times in a row and is not asked for 30 s.',
    })
    expect(supplier.requests).toHaveLength(asked)
  })

  it('asks the storages of pick-up points where they are named', async () => {
    search.world.points = { 3: [2] }
    const { asked_by, suppliers } = await search.ask(explainBrands, { article: 'OC1051', pick_up_points: [3] })
    expect([asked_by, suppliers.map(({ storage_id }) => storage_id)]).toEqual(['pick_up_points', [2]])
  })

  it('queries no supplier for an article without letters or digits', async () => {
    expect(await search.ask(explainBrands, { article: '—' })).toMatchObject({
      result: true,
      article_key: '',
      suppliers: [],
    })
  })
})

describe('the storages whose price lists have it sold out (admin.md#search-sold-out)', () => {
  const list = (id: number, more: object = {}) => ({
    id,
    name: `List ${id}`,
    supplier: { kind: 'price-list' },
    ...more,
  })
  const offer = (storage_id: number, quantity: number) => ({
    ...{ ...row, storage_id, quantity, price: 7, delivery_days: 1, article_key: 'OC1051' },
  })
  beforeEach(() => {
    search.world.storages = [list(2), list(3), list(5), list(6, { is_active: false }), list(7)] as never
    search.world.offers = [offer(2, 0), offer(3, 0), offer(3, 4), offer(5, 0), offer(5, 0), offer(6, 0)]
  })
  const named = (...ids: number[]) => ids.map((id) => ({ storage_id: id, storage_name: `List ${id}` }))

  it.each([
    ['brands', explainBrands, { article: 'oc 1051' }],
    ['parts', explainParts, { article: 'OC1051', brands: ['mahle'] }],
  ] as const)(
    'are named with the %s, asked or not, without those that have some left',
    async (_what, command, body) => {
      const found = await search.ask(command, body, { storages: [2] })
      expect([found.sold_out, found.also_in]).toEqual([named(2, 5), named(3)])
    },
  )

  it('are none for an article without letters or digits, or while the service does not answer', async () => {
    expect((await search.ask(explainBrands, { article: '—' })).sold_out).toEqual([])
    search.stopOther(findOffers)
    const found = await search.ask(explainBrands, { article: 'OC1051' }, { storages: [2] })
    search.startOther(findOffers)
    expect(found.sold_out).toEqual([])
  })
})

describe('the storages that were not asked (admin.md#search-unasked)', () => {
  const unasked = (id: number, name: string) => ({ storage_id: id, storage_name: name })
  beforeEach(() => {
    const offer = { ...row, quantity: 1, price: 7, delivery_days: 1, article_key: 'OC1051' }
    search.world.storages = [
      { id: 1, name: 'Berg', supplier: httpSupplier(supplier) },
      { id: 2, name: 'Lists', supplier: { kind: 'price-list' } },
      { id: 5, name: 'Doors', supplier: { kind: 'price-list' } },
      { id: 6, name: 'Other brand', supplier: { kind: 'price-list' } },
      { id: 7, name: 'Shelf', supplier: { kind: 'own-stock' } },
      { id: 8, name: 'Switched off', supplier: { kind: 'price-list' }, is_active: false },
      { id: 9, name: 'Without a name', supplier: { kind: 'price-list' } },
    ]
    search.world.offers = [
      { ...offer, storage_id: 5 },
      { ...offer, storage_id: 6, brand: 'KNECHT' },
      { ...offer, storage_id: 8 },
      { ...offer, storage_id: 9, name: '' },
    ]
    search.world.products = [{ id: 3, ...row, article_key: 'OC1051' }]
    search.world.supplies = [{ product_id: 3, storage_id: 7, quantity: 2, selling_price: 5, delivery_days: 1 }]
  })

  it('are counted, and those that hold the article are named; no other system is asked', async () => {
    const before = supplier.requests.length
    const found = await search.ask(explainBrands, { article: 'oc 1051' }, { storages: [2] })
    expect(found).toMatchObject({ brands: [], asked: 1, of: 6 })
    expect(found.also_in).toEqual([unasked(5, 'Doors'), unasked(6, 'Other brand'), unasked(7, 'Shelf')])
    expect(supplier.requests).toHaveLength(before)
  })

  it('are named for the offers of these brands', async () => {
    const body = { article: 'OC1051', brands: ['mahle'] }
    const { also_in } = await search.ask(explainParts, body, { storages: [2, 7] })
    expect(also_in).toEqual([unasked(5, 'Doors'), unasked(9, 'Without a name')])
  })

  it('are none where all of them were asked, or the article has no letters or digits', async () => {
    expect((await search.ask(explainBrands, { article: 'OC1051' })).also_in).toEqual([])
    expect(await search.ask(explainBrands, { article: '—' }, { storages: [] })).toMatchObject({ of: 6, also_in: [] })
  })

  it('are not known while the stock service is away, and the search answers all the same', async () => {
    await search.ask(explainBrands, { article: 'OC1051' }, { storages: [2] })
    search.stopOther(getStockReferences)
    const found = await search.ask(explainBrands, { article: 'OC1051' }, { storages: [2] })
    search.startOther(getStockReferences)
    expect(found).toMatchObject({ result: true, asked: 1, of: null, also_in: [] })
  })
})
