import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { expectStatus, type Supply } from '../testing/shop.js'
import { sendJson } from '@partsbus/test-kit/fake-supplier'
import { usePartner } from '../testing/contract-product.js'

/** Each kind and dialect, seen by a partner and by a test of the connection. */
const open = usePartner()

// admin.md#supplier
describe('kinds of suppliers', () => {
  afterAll(() => open().ask())
  const brands = async (article: string) => (await open().post('/get-brands', { article })).body.brands
  const parts = async (article: string, ...names: string[]) =>
    (await open().post('/get-parts', { article, brands: names })).body.parts
  const test = async (id: number, article: string) =>
    (
      await open().shop.admin.post<{ ok: boolean; ms: number; brands: unknown[]; error: string | null }>(
        `/storages/${id}/test`,
        { article },
      )
    ).body

  describe('own-stock (rules.md#own-stock)', () => {
    let storage: number
    let other: number
    const at = (id: number) => ({ storage_id: id, storage_name: id === storage ? 'Main storage' : 'Other shelf' })
    beforeAll(async () => {
      const { shop } = open()
      storage = shop.storageId
      other = await open().newStorage({ kind: 'own-stock' }, 'Other shelf')
      const product = (id: string, more: object = {}) => ({
        id_erp: `own-${id}`,
        name: `Name ${id}`,
        brand: `Brand ${id}`,
        article: 'OWN 1',
        ...more,
      })
      expectStatus(
        await shop.erp.post('/products/batch-upsert', [
          product('a'),
          product('b', { article: 'own-1' }),
          product('dash', { name: '-' }),
          product('zero'),
          product('nothing'),
          product('off', { is_active: false }),
          product('gone'),
          product('else', { article: 'OWN 11' }),
          product('nobrand', { brand: null }),
        ]),
        200,
      )
      const stock = (id: string, quantity: number) => ({ product_id_erp: `own-${id}`, quantity, delivery_days: 2 })
      expectStatus(
        await shop.erp.post('/stocks/batch-update', [
          stock('a', 5),
          stock('b', 7),
          stock('dash', 1),
          stock('zero', 0),
          stock('off', 5),
          stock('gone', 5),
          stock('else', 5),
          stock('nobrand', 5),
        ]),
        200,
      )
      await shop.set({ erp_storage_id: other })
      expectStatus(await shop.erp.post('/stocks/batch-update', [stock('b', 1)]), 200)
      await shop.set({ erp_storage_id: storage })
      expectStatus(await shop.erp.post('/products/delete', { ids_erp: ['own-gone'] }), 200)
      await open().ask(storage, other)
    })
    it('get-brands: active products with a quantity above 0', async () => {
      expect(await brands('own1')).toEqual([
        { brand: 'BRAND A', article: 'OWN 1', name: 'Name a', storages: [at(storage)] },
        { brand: 'BRAND B', article: 'own-1', name: 'Name b', storages: [at(storage), at(other)] },
      ])
    })
    it('get-parts: stored quantity without reservations, selling_price if set, delivery_days', async () => {
      const [supply] = (await open().shop.suppliesOf('own-a')) as [Supply]
      expect(await parts('own1', 'Brand A')).toEqual([
        { brand: 'BRAND A', article: 'OWN 1', name: 'Name a', quantity: 5, delivery_days: 2, ...at(storage) },
      ])
      expectStatus(
        await open().shop.admin.patch(`/supplies/${supply.id}`, {
          selling_price: 12.35,
          purchase_price: 7,
          old_price: 20,
          reserved: 4,
          shipped: 2,
        }),
        200,
      )
      expect(
        await parts(
          'own1',
          'Brand A',
          'brand b',
          'Brand zero',
          'Brand off',
          'Brand gone',
          'Brand dash',
          'Brand nothing',
        ),
      ).toEqual([
        {
          brand: 'BRAND A',
          article: 'OWN 1',
          name: 'Name a',
          quantity: 5,
          price: 12.35,
          delivery_days: 2,
          ...at(storage),
        },
        { brand: 'BRAND B', article: 'own-1', name: 'Name b', quantity: 7, delivery_days: 2, ...at(storage) },
        { brand: 'BRAND B', article: 'own-1', name: 'Name b', quantity: 1, delivery_days: 2, ...at(other) },
        { brand: 'BRAND DASH', article: 'OWN 1', name: '-', quantity: 1, delivery_days: 2, ...at(storage) },
      ])
    })
    it('the next query sees a push of the ERP (rules.md#suppliers-fresh)', async () => {
      for (const [quantity, seen] of [
        [0, []],
        [3, [3]],
      ] as const) {
        await open().shop.erp.post('/stocks/batch-update', [{ product_id_erp: 'own-a', quantity, delivery_days: 0 }])
        expect((await parts('own1', 'brand a'))?.map((part) => part.quantity)).toEqual(seen)
      }
    })
    it('the storage test reports what it finds', async () => {
      expect(await test(other, 'own1')).toEqual({
        ok: true,
        ms: expect.any(Number),
        brands: [{ brand: 'Brand b', article: 'own-1', name: 'Name b' }],
        error: null,
      })
    })
  })

  it('price-list: the live offers of the active lists of that storage, with their own names and prices', async () => {
    const { id, storage } = await open().newList({ delivery_days: 4 })
    const second = expectStatus(
      await open().shop.admin.post<{ id: number }>('/price-lists', { name: 'Second', storage_id: storage }),
      201,
    ).body.id
    const head = 'Бренд;Артикул;Наименование;Количество;Цена;Срок\n'
    await open().bringIn(id, `${head}Kyb;PL 1;Амортизатор;>10;1 234,50 руб;\nKyb;PL-2;x;0;1;1\nKyb;PL 3;-;1;;\n`)
    await open().bringIn(second, `${head}KYB;pl1;Other;2;99;1\n`)
    await open().ask(storage)
    const place = { storage_id: storage, storage_name: 'Price list' }
    expect(await brands('pl1')).toEqual([
      { brand: 'KYB', article: expect.stringMatching(/^(PL 1|pl1)$/), name: expect.any(String), storages: [place] },
    ])
    expect(await parts('pl-1', 'kyb')).toEqual([
      { brand: 'KYB', article: 'pl1', name: 'Other', quantity: 2, price: 99, delivery_days: 1, ...place },
      { brand: 'KYB', article: 'PL 1', name: 'Амортизатор', quantity: 10, price: 1234.5, delivery_days: 4, ...place },
    ])
    expect([await brands('pl2'), await brands('pl3'), await parts('pl2', 'KYB')]).toEqual([[], [], []])
    expect(await parts('pl3', 'KYB')).toEqual([
      { brand: 'KYB', article: 'PL 3', name: '-', quantity: 1, delivery_days: 4, ...place },
    ])
    await open().shop.admin.patch(`/price-lists/${id}`, { is_active: false })
    expect((await parts('pl1', 'KYB'))?.map(({ name }) => name)).toEqual(['Other'])
    expect(await test(storage, 'pl1')).toMatchObject({
      ok: true,
      brands: [{ brand: 'KYB', article: 'pl1', name: 'Other' }],
    })
  })

  it('abcp: search/brands, search/articles in its own spelling, credentials as parameters, hours as days', async () => {
    const { id, supplier } = await open().newRemote('Abcp', {
      dialect: 'abcp',
      headers: { userlogin: 'shop', password: 'word', 'X-More': 'kept' },
    })
    const position = (more: object) => ({
      brand: 'Knecht',
      number: 'OC 90',
      numberFix: 'OC90',
      description: 'Фильтр',
      availability: 4,
      deliveryPeriod: 25,
      price: 10,
      itemKey: 'inner',
      supplierCode: 7,
      ...more,
    })
    supplier.respond(({ path }, response) =>
      sendJson(
        response,
        path.startsWith('/search/brands')
          ? {
              0: { brand: 'Knecht', number: 'OC 90', numberFix: 'OC90', description: 'Фильтр', availability: 1 },
              1: { brand: 'Other', number: 'OC 91', description: 'x' },
            }
          : [
              position({}),
              position({ availability: '7', price: '9.50', deliveryPeriod: '48' }),
              position({ availability: -1, price: 11 }),
              position({ availability: -10 }),
              position({ availability: 0 }),
              position({ number: 'OC 91', numberFix: 'OC91' }),
              position({ brand: 'Analog' }),
            ],
      ),
    )
    await open().ask(id)
    const place = { storage_id: id, storage_name: 'Abcp' }
    expect(await brands('oc90')).toEqual([{ brand: 'KNECHT', article: 'OC 90', name: 'Фильтр', storages: [place] }])
    expect(await parts('oc90', 'KNECHT')).toEqual([
      { brand: 'KNECHT', article: 'OC 90', name: 'Фильтр', quantity: 7, price: 9.5, delivery_days: 2, ...place },
      { brand: 'KNECHT', article: 'OC 90', name: 'Фильтр', quantity: 4, price: 10, delivery_days: 2, ...place },
      { brand: 'KNECHT', article: 'OC 90', name: 'Фильтр', quantity: 1, price: 11, delivery_days: 2, ...place },
    ])
    const userpsw = createHash('md5').update('word').digest('hex')
    expect(
      supplier.requests.map(({ method, path, query, headers }) => [
        method,
        path.replace(/\/$/, ''),
        query.userlogin,
        query.userpsw,
        query.number,
        query.brand,
        headers['x-more'],
        headers.password,
      ]),
    ).toEqual([
      ['GET', '/search/brands', 'shop', userpsw, 'oc90', undefined, 'kept', undefined],
      ['GET', '/search/articles', 'shop', userpsw, 'oc90', 'Knecht', 'kept', undefined],
    ])
    supplier.respond((_request, response) => sendJson(response, { errorCode: 301, errorMessage: 'No results' }, 404))
    expect((await open().post('/get-brands', { article: 'none' })).body).toEqual({
      result: true,
      message: 'OK',
      brands: [],
    })
    supplier.respond((_request, response) =>
      sendJson(response, { errorCode: 102, errorMessage: 'Wrong password' }, 403),
    )
    expect((await open().post('/get-brands', { article: 'none' })).body).toEqual({
      result: false,
      message: 'No supplier answered.',
      brands: [],
    })
    expect((await test(id, 'x')).error).toMatch(/refused the credentials/)
  })

  it('autoeuro: search_brands, then search_items with the delivery key; moments become days', async () => {
    const { id, supplier } = await open().newRemote('Autoeuro', {
      dialect: 'autoeuro',
      headers: { key: 'api-key', delivery_key: 'door' },
    })
    const item = (more: object) => ({
      brand: 'KNECHT',
      code: 'OC90',
      name: 'Oil filter',
      amount: '3',
      price: '310.40',
      delivery_time: '2020-01-03 12:00:00',
      offer_key: 'inner',
      warehouse_name: 'W',
      ...more,
    })
    supplier.respond(({ path }, response) =>
      sendJson(response, {
        META: { result: 'ok' },
        DATA: path.startsWith('/search_brands')
          ? [{ brand: 'KNECHT', code: 'OC90', name: 'Oil filter' }]
          : [item({}), item({ amount: 0 }), item({ amount: '1', delivery_time: 'soon', price: null })],
      }),
    )
    await open().ask(id)
    const place = { storage_id: id, storage_name: 'Autoeuro' }
    expect(await brands('oc90')).toEqual([{ brand: 'KNECHT', article: 'OC90', name: 'Oil filter', storages: [place] }])
    expect(await parts('oc90', 'knecht')).toEqual([
      { brand: 'KNECHT', article: 'OC90', name: 'Oil filter', quantity: 3, price: 310.4, delivery_days: 0, ...place },
      { brand: 'KNECHT', article: 'OC90', name: 'Oil filter', quantity: 1, ...place },
    ])
    expect(
      supplier.requests.map(({ path, query, headers }) => [
        path.replace(/\/$/, ''),
        query.key ?? headers.key,
        query.code,
        query.brand,
        query.delivery_key,
      ]),
    ).toEqual([
      ['/search_brands', 'api-key', 'oc90', undefined, undefined],
      ['/search_items', 'api-key', 'oc90', 'KNECHT', 'door'],
    ])
    supplier.respond((_request, response) =>
      sendJson(response, { ERROR: { code: 401, error: 'Wrong key', message: 'Wrong key' } }),
    )
    expect((await test(id, 'x')).error).toMatch(/Wrong key/)
  })
})
