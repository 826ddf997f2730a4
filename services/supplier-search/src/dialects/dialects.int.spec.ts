import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findBrands, findParts, testStorage } from '@partsbus/contracts/search'
import { type FakeSupplier, json, startFakeSupplier } from '../testing/fake-supplier.js'
import { type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'
import { dialectAt } from './autoeuro.js'

let search: SearchUnderTest
let supplier: FakeSupplier
let nextId = 1
beforeAll(async () => { search = await startSearchUnderTest() })
afterAll(() => search.stop())
beforeEach(async () => { supplier = await startFakeSupplier() })
afterEach(() => supplier.stop())

const use = (more: Parameters<FakeSupplier['supplier']>[0]): void => {
  search.world.storages = [{ id: nextId++, name: 'Supplier', supplier: supplier.supplier(more) }]
}

describe('abcp', () => {
  const md5 = createHash('md5').update('word').digest('hex')
  // the shapes of the platform's documentation: a list, or an object with numbers for keys
  const brands = { 0: { brand: 'Knecht', number: 'OC 90', numberFix: 'OC90', description: 'Фильтр масляный', availability: -1 }, 1: { brand: 'MANN', number: 'W712', numberFix: 'W712', description: 'Другой' } }
  const part = (more: object) => ({
    distributorId: 1, brand: 'Knecht', number: 'OC 90', numberFix: 'OC90', description: 'Фильтр масляный', availability: 4, packing: 1,
    deliveryPeriod: 30, deliveryPeriodMax: 48, supplierCode: 77, itemKey: 'secret', price: 421.5, weight: '0.5', noReturn: false, ...more,
  })

  beforeEach(() => {
    use({ dialect: 'abcp', headers: { userlogin: 'me@shop', Password: 'word', 'X-Extra': 'kept' } })
    supplier.answers(({ path }, response) => json(response, path === '/search/brands' ? brands : [
      part({}), part({ availability: '7', price: '400.00' }), part({ availability: -2, price: 5 }), part({ availability: -10, price: 1 }), part({ availability: 0, price: 1 }),
      part({ number: 'OC91', price: 1 }), part({ brand: 'Analog', price: 1 }), 'noise',
    ]))
  })

  it('get-brands: search/brands with the credentials as parameters', async () => {
    expect((await search.ask(findBrands, { article: 'oc90' })).brands).toMatchObject([{ brand: 'KNECHT', article: 'OC 90', name: 'Фильтр масляный' }])
    expect(supplier.received).toMatchObject([{ method: 'GET', path: '/search/brands', query: { number: 'oc90', userlogin: 'me@shop', userpsw: md5, useOnlineStocks: '1' }, headers: { 'x-extra': 'kept' } }])
    expect(supplier.received[0]?.headers).not.toHaveProperty('password')
  })

  it('get-parts: search/articles for each brand; hours become days, inexact quantities what is certain', async () => {
    await search.ask(findBrands, { article: 'oc90' })
    const { parts } = await search.ask(findParts, { article: 'oc90', brands: ['KNECHT', 'Bosch'] })
    expect(parts.map(({ quantity, price, delivery_days }) => [quantity, price, delivery_days])).toEqual([[10, 5, 2], [10, 5, 2], [7, 400, 2], [7, 400, 2], [4, 421.5, 2], [4, 421.5, 2]])
    expect(parts[0]).toEqual({ brand: 'KNECHT', article: 'OC 90', name: 'Фильтр масляный', quantity: 10, price: 5, delivery_days: 2, storage_id: expect.any(Number), storage_name: 'Supplier' })
    expect(supplier.received.slice(1).map(({ query }) => query['brand'])).toEqual(['Knecht', 'Bosch'])
  })

  it('nothing found is an answer; refused credentials are none', async () => {
    supplier.answers((_request, response) => json(response, { errorCode: 301, errorMessage: 'No results' }, 404))
    expect(await search.ask(findBrands, { article: 'none' })).toMatchObject({ message: 'OK', brands: [] })
    supplier.answers((_request, response) => json(response, { errorCode: 102, errorMessage: 'Неправильное имя или пароль!' }, 403))
    const [{ id = 0 } = {}] = search.world.storages
    expect(await search.ask(testStorage, { id, article: 'x' })).toMatchObject({ ok: false, error: 'The supplier refused the credentials (userlogin and userpsw).' })
  })
})

describe('autoeuro', () => {
  const item = (more: object) => ({
    offer_key: 'secret', stock: 1, cross: null, brand: 'KNECHT', code: 'OC90', name: 'Oil filter', packing: 1, price: '310.40', currency: 'RUB',
    amount: '3', unit: 'шт', return: '1', delivery_time: '2030-01-03 12:00:00', delivery_time_max: '2030-01-04 12:00:00', warehouse_name: 'W', ...more,
  })

  it('get-brands and get-parts, with key and delivery key as parameters', async () => {
    use({ dialect: 'autoeuro', headers: { key: 'api', delivery_key: 'door' } })
    supplier.answers(({ path }, response) => json(response, { META: { result: 'ok' }, DATA: path === '/search_brands' ? [{ brand: 'KNECHT', code: 'OC90', name: 'Oil filter' }] : [item({}), item({ amount: 0 })] }))
    expect((await search.ask(findBrands, { article: 'oc90' })).brands).toMatchObject([{ brand: 'KNECHT' }])
    expect((await search.ask(findParts, { article: 'oc90', brands: ['Knecht'] })).parts).toMatchObject([{ quantity: 3, price: 310.4 }])
    expect(supplier.received.map(({ path, query }) => [path, query])).toEqual([
      ['/search_brands', { key: 'api', code: 'oc90' }],
      ['/search_items', { key: 'api', code: 'oc90', brand: 'KNECHT', delivery_key: 'door', with_crosses: '0', with_offers: '1' }],
    ])
  })

  it('moments become days', () => {
    const { readParts } = dialectAt(() => Date.parse('2030-01-01T12:00:00'))
    const days = (delivery_time: unknown) => readParts({ status: 200, body: { DATA: [item({ delivery_time })] } })[0]?.delivery_days
    expect(['2030-01-03 12:00:00', '2030-01-03 12:00:01', '2029-12-31 00:00:00', 'soon', null].map(days)).toEqual([2, 3, 0, undefined, undefined])
  })

  it('an error of the API is told in its words', async () => {
    use({ dialect: 'autoeuro', headers: { key: 'wrong', delivery_key: 'door' } })
    supplier.answers((_request, response) => json(response, { ERROR: { code: 401, error: 'Неверный ключ' } }))
    const [{ id = 0 } = {}] = search.world.storages
    expect(await search.ask(testStorage, { id, article: 'x' })).toMatchObject({ ok: false, error: 'The supplier answered: Неверный ключ' })
  })
})
