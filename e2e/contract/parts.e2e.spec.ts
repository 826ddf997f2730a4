import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { type FakeSupplier, sendJson } from '@partsbus/test-kit/fake-supplier'
import type { Part } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const open = usePartner()

describe('POST /get-parts', () => {
  const ids: number[] = []
  const storages: FakeSupplier[] = []
  const names = ['Parts A', 'Parts B']
  let group: number
  beforeAll(async () => {
    for (const name of names) {
      const { id, supplier } = await open().newRemote(name)
      ids.push(id)
      storages.push(supplier)
    }
    await open().ask(...ids)
    group = expectStatus(
      await open().shop.admin.post<{ id: number }>('/brand-synonyms', {
        canonical: 'Knecht',
        synonyms: ['KNECHT-MAHLE', 'Mahle Knecht'],
      }),
      201,
    ).body.id
  })
  beforeEach(() => {
    for (const supplier of storages) supplier.offer({})
  })
  afterAll(async () => {
    await open().ask()
    await open().shop.admin.delete(`/brand-synonyms/${group}`)
  })

  const ask = async (brands: string[] = ['B'], article = 'x1') =>
    (await open().post('/get-parts', { article, brands })).body
  const found = async (brands?: string[]) => (await ask(brands)).parts as Part[]
  const position = (more: object = {}) => ({ brand: 'B', article: 'X-1', name: 'n', quantity: 1, ...more })
  const hold = (...rows: unknown[][]): void => rows.forEach((parts, at) => storages[at]?.offer({ parts }))

  // partners.md#parts-4, partners.md#parts-5, partners.md#part
  it('answers result, message and parts; a part has exactly the documented fields', async () => {
    const inner = {
      purchase_price: 1,
      markup: 3,
      supplier_code: 's',
      payload: { key: 'secret' },
      storage_id: 999,
      storage_name: 'fake',
      id: 4,
      currency: 'RUB',
    }
    hold([{ ...position({ price: 12.5, delivery_days: 3 }), ...inner }], [position()])
    expect(await ask()).toEqual({
      result: true,
      message: 'OK',
      parts: [
        {
          brand: 'B',
          article: 'X-1',
          name: 'n',
          quantity: 1,
          price: 12.5,
          delivery_days: 3,
          storage_id: ids[0],
          storage_name: 'Parts A',
        },
        { brand: 'B', article: 'X-1', name: 'n', quantity: 1, storage_id: ids[1], storage_name: 'Parts B' },
      ],
    })
  })
  // partners.md#parts-2
  it('queries a supplier with unknown spelling in every spelling, with the article as sent', async () => {
    await ask(['mahle knecht'], 'x/1 ')
    for (const supplier of storages) {
      const { path, body } = supplier.requests.at(-1) ?? {}
      const { brands, article } = body as { brands: string[]; article: string }
      expect([path, article, new Set(brands)]).toEqual([
        '/parts',
        'x/1 ',
        new Set(['mahle knecht', 'Knecht', 'KNECHT-MAHLE', 'Mahle Knecht']),
      ])
    }
  })
  it('queries a supplier in the spelling known from its brands, for any spelling of the group', async () => {
    storages[0]?.offer({
      brands: [{ brand: 'Knecht-Mahle', article: 'X1', name: 'n' }],
      parts: [position({ brand: 'Knecht-Mahle' })],
    })
    expect((await open().post('/get-brands', { article: 'x1' })).body.brands).toMatchObject([{ brand: 'Knecht' }])
    for (const spelling of ['Knecht', ' «knecht» ', 'KNECHT-mahle', 'Mahle  Knecht']) {
      expect(await found([spelling])).toMatchObject([{ brand: 'Knecht', storage_id: ids[0] }])
      expect(storages[0]?.requests.at(-1)?.body).toEqual({ article: 'x1', brands: ['Knecht-Mahle'] })
    }
  })
  it.each<[unknown, boolean]>([
    [1, true],
    [2_147_483_648, true],
    [0, false],
    [-1, false],
    [1.5, false],
    ['5', false],
    ['>10', false],
    [null, false],
    [undefined, false],
    [true, false],
    [[1], false],
    [{}, false],
    [2 ** 60, false],
  ])('a quantity of %j is kept: %s (partners.md#parts-3)', async (quantity, kept) => {
    hold([position({ quantity })])
    expect((await found()).map((part) => part.quantity)).toEqual(kept ? [quantity] : [])
  })
  it.each<[unknown, number | undefined]>([
    [0, 0],
    [12.5, 12.5],
    [12.345, 12.35],
    [1.005, 1.01],
    [2.675, 2.68],
    [0.001, undefined],
    [99.999, 100],
    [1e15, 1e15],
    [-0.01, undefined],
    [-5, undefined],
    ['5', undefined],
    [null, undefined],
    [true, undefined],
    [{}, undefined],
    [[5], undefined],
  ])('returns a price of %j as %j and keeps the row', async (price, shown) => {
    hold([position({ price })])
    const parts = await found()
    expect(parts).toHaveLength(1)
    expect([parts[0]?.price, 'price' in (parts[0] ?? {})]).toEqual([shown, shown !== undefined])
  })
  it.each<[unknown, number | undefined]>([
    [0, 0],
    [3, 3],
    [365, 365],
    [-1, undefined],
    [1.5, undefined],
    ['2', undefined],
    ['2-3', undefined],
    [null, undefined],
    [true, undefined],
    [{}, undefined],
  ])('returns delivery_days %j as %j and keeps the row', async (days, shown) => {
    hold([position({ delivery_days: days })])
    const parts = await found()
    expect(parts).toHaveLength(1)
    expect([parts[0]?.delivery_days, 'delivery_days' in (parts[0] ?? {})]).toEqual([shown, shown !== undefined])
  })
  it('handles NaN, Infinity, 1e999 and 5.0 in the JSON of a supplier', async () => {
    storages[0]?.respond((_request, response) =>
      sendJson(
        response,
        `[
        {"brand":"B","article":"X1","name":"nan","quantity":1,"price":NaN,"delivery_days":5.0},
        {"brand":"B","article":"X1","name":"inf","quantity":Infinity,"price":1},
        {"brand":"B","article":"X1","name":"huge","quantity":1e2,"price":1e999},
        {"brand":"B","article":"X1","name":"tiny","quantity":-0,"price":1}]`,
      ),
    )
    expect(
      (await found()).map(({ name, quantity, price, delivery_days }) => [name, quantity, price, delivery_days]),
    ).toEqual([
      ['nan', 1, undefined, 5],
      ['huge', 100, undefined, undefined],
    ])
  })
  it('returns only the requested brands and article, with the brand name of get-brands', async () => {
    hold([
      position({ brand: ' b ' }),
      position({ brand: 'C' }),
      position({ article: 'X11' }),
      position({ article: 'x 1.', brand: '"B"' }),
      position({ brand: null }),
      position({ article: null }),
      null,
      'x',
      5,
    ])
    expect((await found()).map(({ brand, article }) => [brand, article])).toEqual([
      ['B', 'X-1'],
      ['B', 'x 1.'],
    ])
    expect(await ask(['nobody'])).toEqual({ result: true, message: 'OK', parts: [] })
    expect(await ask(['"'])).toEqual({ result: true, message: 'OK', parts: [] })
  })
  it('returns a part without a name; only get-brands drops those', async () => {
    hold([position({ name: '' }), position({ name: '-' }), position({ name: null }), position({ name: undefined })])
    expect((await found()).map(({ name }) => name)).toEqual(['', '', '', '-'])
  })
  // partners.md#part
  it('ordered by price, delivery days (missing last), brand, article, storage; the same every time', async () => {
    const rows = [
      position({ price: 5, delivery_days: 2, brand: 'C' }),
      position({ price: 5, delivery_days: 2, article: 'x1' }),
      position({ price: 5, delivery_days: 2 }),
      position({ price: 5 }),
      position({ price: 4, delivery_days: 30 }),
      position({ delivery_days: 0 }),
      position(),
      position({ price: 10, delivery_days: 1 }),
    ]
    const order = [
      [4, 30, 'B', 'X-1'],
      [5, 2, 'B', 'X-1'],
      [5, 2, 'B', 'x1'],
      [5, 2, 'C', 'X-1'],
      [5, undefined, 'B', 'X-1'],
      [10, 1, 'B', 'X-1'],
      [undefined, 0, 'B', 'X-1'],
      [undefined, undefined, 'B', 'X-1'],
    ]
    hold(rows, rows.toReversed())
    const parts = await found(['C', 'B'])
    expect(
      parts.map(({ price, delivery_days, brand, article, storage_id }) => [
        price,
        delivery_days,
        brand,
        article,
        storage_id,
      ]),
    ).toEqual(order.flatMap((each) => ids.map((id) => [...each, id])))
    const { text } = await open().post('/get-parts', { article: 'x1', brands: ['B', 'C'] })
    hold(rows.toReversed(), rows)
    expect((await open().post('/get-parts', { article: 'x1', brands: ['C', 'B', 'b'] })).text).toBe(text)
  })
})
