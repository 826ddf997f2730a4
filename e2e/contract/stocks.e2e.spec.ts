import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus, type StockResult, type Supply } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const open = useShop()

const update = async (body: unknown) => {
  const answer = await open().erp.post<StockResult>('/stocks/batch-update', body)
  expect(answer.status).toBe(200)
  return answer.body
}
const supplyOf = async (id: string): Promise<Supply> => {
  const rows = await open().suppliesOf(id)
  expect(rows).toHaveLength(1)
  return rows[0] as Supply
}

describe('stocks', () => {
  beforeAll(async () => {
    const ids = ['s-1', 's-2', 's-date', 's-days', 's-prices', 's-gone', 's-twice', 's-other']
    expectStatus(
      await open().erp.post(
        '/products/batch-upsert',
        ids.map((id) => ({ id_erp: id, name: id })),
      ),
      200,
    )
  })

  // erp.md#stocks-1, erp.md#stocks-3, erp.md#stocks-4, erp.md#stocks-8
  it('creates the record of product, point and storage (erp.md#stocks-3, erp.md#stocks-4), in both forms', async () => {
    const started = Date.now()
    expect(await update([{ product_id_erp: 's-1', quantity: 5 }])).toEqual({ processed: 1, updated: 1, errors: [] })
    const product = await open().productOf('s-1')
    const supply = await supplyOf('s-1')
    expect(supply).toEqual({
      id: expect.any(Number),
      product_id: product.id,
      pick_up_point_id: open().pointId,
      storage_id: open().storageId,
      purchase_price: null,
      selling_price: null,
      old_price: null,
      quantity: 5,
      reserved: 0,
      shipped: 0,
      supply_date: expect.any(String),
      delivery_days: 0,
    })
    expect(Date.parse(supply.supply_date)).toBeGreaterThanOrEqual(started - 2_000)
    expect(Date.parse(supply.supply_date)).toBeLessThanOrEqual(Date.now() + 2_000)
    expect(
      await update({
        stocks: [
          { product_id_erp: 's-1', quantity: 0 },
          { product_id_erp: 's-2', quantity: 7 },
        ],
      }),
    ).toEqual({ processed: 2, updated: 2, errors: [] })
    expect(await supplyOf('s-1')).toEqual({ ...supply, quantity: 0 })
  })

  it('reports an unknown product and skips it (erp.md#stocks-2, bad-inputs.md#input-32)', async () => {
    expect(
      await update([
        { product_id_erp: 's-none', quantity: 1 },
        { product_id_erp: 's-2', quantity: 8 },
      ]),
    ).toEqual({
      processed: 2,
      updated: 1,
      errors: [{ product_id_erp: 's-none', message: 'Product not found for given ERP ID.' }],
    })
    expect((await supplyOf('s-2')).quantity).toBe(8)
    expect(await open().suppliesOf('s-none')).toEqual([])
  })

  it.each([
    ['2026-01-05', '2026-01-05T00:00:00.000Z'],
    ['2026-01-05T10:20:30Z', '2026-01-05T10:20:30.000Z'],
    ['2026-01-05T10:20:30.125+03:00', '2026-01-05T07:20:30.125Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('supply_date %s is stored as %s, and kept when it is empty (erp.md#stocks-5)', async (sent, stored) => {
    for (const supply_date of [sent, undefined, null, '']) {
      await update([{ product_id_erp: 's-date', quantity: 1, ...(supply_date !== undefined && { supply_date }) }])
      expect((await supplyOf('s-date')).supply_date).toBe(stored)
    }
  })

  // erp.md#stocks-6
  it('delivery_days is the value sent, 0 included; when empty the existing; else 0 (erp.md#stocks-6)', async () => {
    const seen: number[] = []
    for (const delivery_days of [undefined, 4, undefined, null, 0, null, 9]) {
      await update([{ product_id_erp: 's-days', quantity: 1, ...(delivery_days !== undefined && { delivery_days }) }])
      seen.push((await supplyOf('s-days')).delivery_days)
    }
    expect(seen).toEqual([0, 4, 4, 4, 0, 0, 9])
  })

  // erp.md#stocks-7, admin.md#supplies
  it('never touches prices, reserved and shipped (erp.md#stocks-7; "The ERP API does not write them")', async () => {
    await update([{ product_id_erp: 's-prices', quantity: 1 }])
    const { id } = await supplyOf('s-prices')
    const own = { purchase_price: 10.5, selling_price: 20.25, old_price: 30, reserved: 3, shipped: 2 }
    expectStatus(await open().admin.patch(`/supplies/${id}`, own), 200)
    await update([
      {
        product_id_erp: 's-prices',
        quantity: 44,
        supply_date: '2026-05-05',
        delivery_days: 2,
        reserved: 99,
        shipped: 99,
        selling_price: 1,
        purchase_price: 1,
      },
    ])
    expect(await supplyOf('s-prices')).toMatchObject({ id, quantity: 44, delivery_days: 2, ...own })
    expect((await open().admin.patch<Supply>(`/supplies/${id}`, { selling_price: null })).body).toMatchObject({
      selling_price: null,
      old_price: 30,
    })
    for (const wrong of [{ selling_price: -1 }, { reserved: 1.5 }, { reserved: -1 }, { purchase_price: '5' }])
      expect((await open().admin.patch(`/supplies/${id}`, wrong)).status).toBe(422)
    expect((await open().admin.patch('/supplies/999999999', { reserved: 1 })).status).toBe(404)
  })

  it('treats a soft-deleted product as not found, and a restored one as found', async () => {
    await update([{ product_id_erp: 's-gone', quantity: 5 }])
    await open().erp.post('/products/delete', { ids_erp: ['s-gone'] })
    expect(await update([{ product_id_erp: 's-gone', quantity: 6 }])).toEqual({
      processed: 1,
      updated: 0,
      errors: [{ product_id_erp: 's-gone', message: 'Product not found for given ERP ID.' }],
    })
    await open().erp.post('/products/batch-upsert', [{ id_erp: 's-gone', name: 'back' }])
    expect(await update([{ product_id_erp: 's-gone', quantity: 7 }])).toMatchObject({ updated: 1, errors: [] })
    expect((await supplyOf('s-gone')).quantity).toBe(7)
  })

  it('applies the same product twice in array order, each counted', async () => {
    expect(
      await update([
        { product_id_erp: 's-twice', quantity: 1, delivery_days: 3, supply_date: '2026-03-03' },
        { product_id_erp: 's-twice', quantity: 2 },
      ]),
    ).toEqual({ processed: 2, updated: 2, errors: [] })
    expect(await supplyOf('s-twice')).toMatchObject({
      quantity: 2,
      delivery_days: 3,
      supply_date: '2026-03-03T00:00:00.000Z',
    })
  })

  describe('with another storage configured', () => {
    afterAll(() => open().set({ erp_storage_id: open().storageId }))
    it('the next call writes there and does not change the first record', async () => {
      await update([{ product_id_erp: 's-other', quantity: 1 }])
      const { body } = expectStatus(
        await open().admin.post<{ id: number }>('/storages', { name: 'Second storage' }),
        201,
      )
      await open().set({ erp_storage_id: body.id })
      await update([{ product_id_erp: 's-other', quantity: 2 }])
      const rows = await open().suppliesOf('s-other')
      expect(rows.map((row) => [row.storage_id, row.quantity]).toSorted()).toEqual(
        [
          [open().storageId, 1],
          [body.id, 2],
        ].toSorted(),
      )
      const query = `/supplies?product_erp_id=s-other&storage_id=${body.id}&pick_up_point_id=${open().pointId}`
      expect((await open().admin.get<{ data: Supply[] }>(query)).body.data.map((row) => row.quantity)).toEqual([2])
    })
  })
})
