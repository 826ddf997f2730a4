import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findBrands, findParts, testStorage } from '@partsbus/contracts/supplier-search/commands'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'
import { dialectAt } from './autoeuro.js'

let search: SearchUnderTest
let supplier: FakeSupplier
let nextId = 1
beforeAll(async () => {
  search = await startSearchUnderTest()
})
afterAll(() => search.stop())
beforeEach(async () => {
  supplier = await startFakeSupplier()
})
afterEach(() => supplier.close())

const use = (more: Parameters<typeof httpSupplier>[1]): void => {
  search.world.storages = [{ id: nextId++, name: 'Supplier', supplier: httpSupplier(supplier, more) }]
}

describe('abcp', () => {
  const md5 = createHash('md5').update('word').digest('hex')
  // the shapes of the platform's documentation: a list, or an object with numbers for keys
  const brands = {
    0: { brand: 'Knecht', number: 'OC 90', numberFix: 'OC90', description: 'Фильтр масляный', availability: -1 },
    1: { brand: 'MANN', number: 'W712', numberFix: 'W712', description: 'Другой' },
  }
  const part = (more: object) => ({
    distributorId: 1,
    brand: 'Knecht',
    number: 'OC 90',
    numberFix: 'OC90',
    description: 'Фильтр масляный',
    availability: 4,
    packing: 1,
    deliveryPeriod: 30,
    deliveryPeriodMax: 48,
    supplierCode: 77,
    itemKey: 'secret',
    price: 421.5,
    weight: '0.5',
    noReturn: false,
    ...more,
  })

  beforeEach(() => {
    use({ dialect: 'abcp', headers: { userlogin: 'me@shop', Password: 'word', 'X-Extra': 'kept' } })
    supplier.respond(({ path }, response) =>
      sendJson(
        response,
        path === '/search/brands/'
          ? brands
          : [
              part({}),
              part({ availability: '7', price: '400.00' }),
              part({ availability: -2, price: 5 }),
              part({ availability: -2, price: 5 }),
              part({ availability: -10, price: 1 }),
              part({ availability: 0, price: 1 }),
              part({ number: 'OC91', price: 1 }),
              part({ brand: 'Analog', price: 1 }),
              'noise',
            ],
      ),
    )
  })

  it('sends get-brands to search/brands with the credentials as parameters', async () => {
    expect((await search.ask(findBrands, { article: 'oc90' })).brands).toMatchObject([
      { brand: 'KNECHT', article: 'OC 90', name: 'Фильтр масляный' },
    ])
    expect(supplier.requests).toMatchObject([
      {
        method: 'GET',
        path: '/search/brands/',
        query: { number: 'oc90', userlogin: 'me@shop', userpsw: md5, useOnlineStocks: '1' },
        headers: { 'x-extra': 'kept' },
      },
    ])
    expect(supplier.requests[0]?.headers).not.toHaveProperty('password')
  })

  it('sends get-parts to search/articles per brand, converts hours and quantities, merges equal offers', async () => {
    await search.ask(findBrands, { article: 'oc90' })
    const { parts } = await search.ask(findParts, { article: 'oc90', brands: ['KNECHT', 'Bosch'] })
    expect(parts.map(({ quantity, price, delivery_days }) => [quantity, price, delivery_days])).toEqual([
      [1, 5, 2],
      [1, 5, 2],
      [7, 400, 2],
      [4, 421.5, 2],
    ])
    expect(parts[0]).toEqual({
      brand: 'KNECHT',
      article: 'OC 90',
      name: 'Фильтр масляный',
      quantity: 1,
      price: 5,
      delivery_days: 2,
      storage_id: expect.any(Number),
      storage_name: 'Supplier',
    })
    expect(supplier.requests.slice(1).map(({ query }) => query['brand'])).toEqual(['Knecht', 'Bosch'])
  })

  it.each([
    [301, 404],
    ['301', 200],
  ])('reads error code %j with HTTP %d as an empty reply', async (errorCode, status) => {
    supplier.respond((_request, response) => sendJson(response, { errorCode, errorMessage: 'No results' }, status))
    expect(await search.ask(findBrands, { article: `none ${status}` })).toMatchObject({ message: 'OK', brands: [] })
    expect(await search.ask(findParts, { article: `none ${status}`, brands: ['Knecht'] })).toMatchObject({
      message: 'OK',
      parts: [],
    })
  })

  it.each<[unknown, number, string]>([
    [
      { errorCode: 102, errorMessage: 'Неправильное имя или пароль!' },
      403,
      'The supplier refused the credentials (userlogin and userpsw), with error 102.',
    ],
    [
      { errorCode: '103', errorMessage: 'Доступ запрещён' },
      200,
      'The supplier refused the credentials (userlogin and userpsw), with error 103.',
    ],
    [
      { errorCode: 2, errorMessage: 'Не указан параметр number' },
      400,
      'The supplier answered error 2: Не указан параметр number',
    ],
    [null, 200, 'The answer is not a list of brands; check base_url and dialect.'],
    ['brands', 200, 'The answer is not a list of brands; check base_url and dialect.'],
  ])('explains %j with HTTP %d', async (body, status, error) => {
    supplier.respond((_request, response) => sendJson(response, JSON.stringify(body), status))
    const [{ id = 0 } = {}] = search.world.storages
    expect(await search.ask(testStorage, { id, article: 'x' })).toMatchObject({ ok: false, error })
  })
})

describe('autoeuro', () => {
  const item = (more: object) => ({
    offer_key: 'secret',
    stock: 1,
    cross: null,
    brand: 'KNECHT',
    code: 'OC90',
    name: 'Oil filter',
    packing: 1,
    price: '310.40',
    currency: 'RUB',
    amount: '3',
    unit: 'шт',
    return: '1',
    delivery_time: '2030-01-03 12:00:00',
    delivery_time_max: '2030-01-04 12:00:00',
    warehouse_name: 'W',
    ...more,
  })

  it('sends the key as a header and the delivery key as a parameter', async () => {
    use({ dialect: 'autoeuro', headers: { key: 'api', delivery_key: 'door' } })
    supplier.respond(({ path }, response) =>
      sendJson(response, {
        META: { version: '2' },
        DATA:
          path === '/search_brands/'
            ? [{ brand: 'KNECHT', code: 'OC90', name: 'Oil filter' }]
            : [item({}), item({ amount: 0 })],
      }),
    )
    expect((await search.ask(findBrands, { article: 'oc90' })).brands).toMatchObject([{ brand: 'KNECHT' }])
    expect((await search.ask(findParts, { article: 'oc90', brands: ['Knecht'] })).parts).toMatchObject([
      { quantity: 3, price: 310.4 },
    ])
    expect(supplier.requests.map(({ path, query, headers }) => [path, query, headers['key']])).toEqual([
      ['/search_brands/', { code: 'oc90' }, 'api'],
      [
        '/search_items/',
        { code: 'oc90', brand: 'KNECHT', delivery_key: 'door', with_crosses: '0', with_offers: '1' },
        'api',
      ],
    ])
    expect(supplier.requests[1]?.headers).not.toHaveProperty('delivery_key')
  })

  it('converts moments in Moscow time to days', () => {
    const { readParts } = dialectAt(() => Date.parse('2030-01-01T09:00:00Z'))
    const days = (delivery_time: unknown) =>
      readParts({ status: 200, body: { DATA: [item({ delivery_time })] } })[0]?.delivery_days
    expect(['2030-01-03 12:00:00', '2030-01-03 12:00:01', '2029-12-31 00:00:00', 'soon', null].map(days)).toEqual([
      2,
      3,
      0,
      undefined,
      undefined,
    ])
  })

  it.each<[unknown, number, string]>([
    [
      { META: {}, ERROR: { code: 401, message: 'Неверный ключ' } },
      200,
      'The supplier answered error 401: Неверный ключ',
    ],
    [{ ERROR: { message: 'Не указан код' } }, 400, 'The supplier answered: Не указан код'],
    [{}, 403, 'The supplier refused the credentials (HTTP 403).'],
    [{ rows: [] }, 200, 'The answer is not a list of brands; check base_url and dialect.'],
  ])('explains %j with HTTP %d', async (body, status, error) => {
    use({ dialect: 'autoeuro', headers: { key: 'wrong', delivery_key: 'door' } })
    supplier.respond((_request, response) => sendJson(response, body, status))
    const [{ id = 0 } = {}] = search.world.storages
    expect(await search.ask(testStorage, { id, article: 'x' })).toMatchObject({ ok: false, error })
  })

  it('reads an empty reply', async () => {
    use({ dialect: 'autoeuro', headers: { key: 'api', delivery_key: 'door' } })
    supplier.respond((_request, response) => sendJson(response, { META: {}, DATA: null }))
    expect(await search.ask(findBrands, { article: 'none' })).toMatchObject({ message: 'OK', brands: [] })
  })
})
