import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { updateStocks } from '@partsbus/contracts/stock/commands'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
})
afterAll(() => stock.stop())
beforeEach(() => stock.reset(20))

const send = (body: unknown) => stock.send(updateStocks, body)
const stored = (erpId: string) => stock.supplies(erpId)

describe('POST /stocks/batch-update', () => {
  it('refuses the batch with the exact text when no default storage or point is configured', async () => {
    const message = 'Default storage and pick-up point for ERP stocks must be configured.'
    for (const settings of [
      defaultCallSettings,
      { ...configured, erp_storage_id: null },
      { ...configured, erp_pick_up_point_id: null },
    ]) {
      await expect(stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 1 }], settings)).rejects.toMatchObject({
        code: 'NOT_CONFIGURED',
        message,
      })
    }
    expect(await stored('p-1')).toEqual([])
  })

  it('reports an unknown product and writes the rest (erp.md#stocks-1, erp.md#stocks-2)', async () => {
    const answer = await send([
      { product_id_erp: 'p-1', quantity: 3 },
      { product_id_erp: 'unknown', quantity: 4 },
    ])
    expect(answer).toEqual({
      processed: 2,
      updated: 1,
      errors: [{ product_id_erp: 'unknown', message: 'Product not found for given ERP ID.' }],
    })
    expect(await stored('p-1')).toMatchObject([{ product_id: 1, quantity: 3 }])
  })

  it('does not find a soft-deleted product and leaves its supply', async () => {
    await send([{ product_id_erp: 'p-1', quantity: 3 }])
    stock.products.delete('p-1')
    expect(await send([{ product_id_erp: 'p-1', quantity: 9 }])).toEqual({
      processed: 1,
      updated: 0,
      errors: [{ product_id_erp: 'p-1', message: 'Product not found for given ERP ID.' }],
    })
    expect(await stored('p-1')).toMatchObject([{ quantity: 3 }])
  })

  it('creates one supply for each product, point and storage (erp.md#stocks-3)', async () => {
    await send([{ product_id_erp: 'p-1', quantity: 1 }])
    await send([{ product_id_erp: 'p-1', quantity: 2 }])
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 5 }], { ...configured, erp_storage_id: 6 })
    const supplies = await stored('p-1')
    expect(supplies).toMatchObject([
      { product_id: 1, pick_up_point_id: 7, storage_id: 5, quantity: 2 },
      { product_id: 1, pick_up_point_id: 7, storage_id: 6, quantity: 5 },
    ])
    expect(new Set(supplies.map(({ id }) => id)).size).toBe(2)
  })

  // erp.md#stocks-3, erp.md#stocks-5, erp.md#stocks-6
  it('creates a supply without prices, with zero counters, the current time and 0 days', async () => {
    const before = Date.now()
    await send({ stocks: [{ product_id_erp: 'p-2', quantity: 0 }] })
    const [supply] = await stored('p-2')
    expect(supply).toEqual({
      id: expect.any(Number),
      product_id: 2,
      pick_up_point_id: 7,
      storage_id: 5,
      purchase_price: null,
      selling_price: null,
      old_price: null,
      quantity: 0,
      reserved: 0,
      shipped: 0,
      supply_date: expect.any(String),
      delivery_days: 0,
    })
    expect(Date.parse(supply?.supply_date ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(supply?.supply_date ?? '')).toBeLessThanOrEqual(Date.now())
  })

  it.each([
    ['2027-03-01', '2027-03-01T00:00:00.000Z'],
    ['2027-03-01T10:00:00+03:00', '2027-03-01T07:00:00.000Z'],
  ])('stores supply_date %s as the instant %s (erp.md#stocks-5)', async (sent, instant) => {
    await send([{ product_id_erp: 'p-3', quantity: 1, supply_date: sent }])
    expect(await stored('p-3')).toMatchObject([{ supply_date: instant }])
  })

  it.each([{}, { supply_date: null, delivery_days: null }, { supply_date: '' }])(
    '%j keeps the stored values (erp.md#stocks-5, erp.md#stocks-6)',
    async (empty) => {
      await send([{ product_id_erp: 'p-4', quantity: 1, supply_date: '2027-03-01', delivery_days: 4 }])
      await send([{ product_id_erp: 'p-4', quantity: 2, ...empty }])
      expect(await stored('p-4')).toMatchObject([
        { quantity: 2, supply_date: '2027-03-01T00:00:00.000Z', delivery_days: 4 },
      ])
    },
  )

  it('stores 0 as a value of delivery_days (erp.md#stocks-6)', async () => {
    await send([{ product_id_erp: 'p-4', quantity: 1, delivery_days: 4 }])
    await send([{ product_id_erp: 'p-4', quantity: 1, delivery_days: 0 }])
    expect(await stored('p-4')).toMatchObject([{ delivery_days: 0 }])
  })

  it('writes the last quantity of a product sent twice and counts both items', async () => {
    const answer = await send([
      { product_id_erp: 'p-5', quantity: 1, supply_date: '2027-03-01' },
      { product_id_erp: 'p-6', quantity: 1 },
      { product_id_erp: 'p-5', quantity: 8, delivery_days: 2 },
    ])
    expect(answer).toEqual({ processed: 3, updated: 3, errors: [] })
    expect(await stored('p-5')).toMatchObject([
      { quantity: 8, supply_date: '2027-03-01T00:00:00.000Z', delivery_days: 2 },
    ])
  })

  it('writes items that change nothing (erp.md#stocks-8)', async () => {
    const body = [{ product_id_erp: 'p-1', quantity: 1, supply_date: '2027-03-01', delivery_days: 4 }]
    await send(body)
    const [first] = await stored('p-1')
    const before = await stock.db.collection('supplies').findOne({ product_id: 1 })
    expect(await send(body)).toEqual({ processed: 1, updated: 1, errors: [] })
    expect(await stored('p-1')).toEqual([first])
    const again = await stock.db.collection('supplies').findOne({ product_id: 1 })
    expect(again?.updated_at.getTime()).toBeGreaterThan(before?.updated_at.getTime())
  })

  it('reject_failed_rows processes the valid items and counts the rejected ones in processed', async () => {
    const answer = await stock.send(
      updateStocks,
      [
        { product_id_erp: 'p-1', quantity: -1 },
        { quantity: 1 },
        { product_id_erp: 'p-2', quantity: 6 },
        { product_id_erp: 'nope', quantity: 6 },
      ],
      { ...configured, erp_error_policy: 'reject_failed_rows' },
    )
    expect(answer).toEqual({
      processed: 4,
      updated: 1,
      errors: [
        { product_id_erp: 'p-1', message: 'The quantity must be at least 0.' },
        { product_id_erp: '', message: 'The product_id_erp field is required.' },
        { product_id_erp: 'nope', message: 'Product not found for given ERP ID.' },
      ],
    })
    expect(await stored('p-1')).toEqual([])
  })

  it('rejects the whole batch for one invalid item by default', async () => {
    await expect(
      send([
        { product_id_erp: 'p-1', quantity: 1 },
        { product_id_erp: 'p-2', quantity: 1.5 },
      ]),
    ).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { '1.quantity': ['The quantity must be an integer.'] } },
    })
    expect(await stored('p-1')).toEqual([])
  })

  it('answers zeros for an empty array', async () => {
    expect(await send([])).toEqual({ processed: 0, updated: 0, errors: [] })
  })

  it('answers UNAVAILABLE while the catalog is down, and the batch can be sent again', async () => {
    stock.stopCatalog()
    try {
      await expect(send([{ product_id_erp: 'p-1', quantity: 1 }])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    } finally {
      stock.startCatalog()
    }
    expect(await send([{ product_id_erp: 'p-1', quantity: 1 }])).toMatchObject({ updated: 1 })
  })
})
