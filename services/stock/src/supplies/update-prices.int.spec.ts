import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { patchSupply, updatePrices, updateStocks } from '@partsbus/contracts/stock/commands'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
})
afterAll(() => stock.stop())
beforeEach(() => stock.reset(5))

const send = (body: unknown) => stock.send(updatePrices, body)
const stored = (erpId: string) => stock.supplies(erpId)

describe('POST /prices/batch-update', () => {
  it('writes the prices sent and leaves everything else (erp.md#prices-2, erp.md#prices-4)', async () => {
    const sent = { product_id_erp: 'p-1', quantity: 4, supply_date: '2027-03-01', delivery_days: 2 }
    await stock.send(updateStocks, [sent])
    const [before] = await stored('p-1')
    await stock.ask(patchSupply, { id: before?.id ?? 0, patch: { reserved: 3, shipped: 2, old_price: 9 } })
    expect(await send([{ product_id_erp: 'p-1', selling_price: 20.25, purchase_price: 10 }])).toEqual({
      processed: 1,
      updated: 1,
      errors: [],
    })
    expect(await stored('p-1')).toEqual([
      { ...before, reserved: 3, shipped: 2, selling_price: 20.25, purchase_price: 10, old_price: 9 },
    ])
    await send([{ product_id_erp: 'p-1', old_price: null, selling_price: 0 }])
    expect(await stored('p-1')).toMatchObject([{ selling_price: 0, purchase_price: 10, old_price: null }])
  })

  it('creates a supply with quantity 0, which the next stock update fills (erp.md#prices-4)', async () => {
    await send({ prices: [{ product_id_erp: 'p-2', selling_price: 5 }] })
    const [created] = await stored('p-2')
    expect(created).toEqual({
      id: expect.any(Number),
      product_id: 2,
      pick_up_point_id: 7,
      storage_id: 5,
      purchase_price: null,
      selling_price: 5,
      old_price: null,
      quantity: 0,
      reserved: 0,
      shipped: 0,
      supply_date: expect.any(String),
      delivery_days: 0,
    })
    await stock.send(updateStocks, [{ product_id_erp: 'p-2', quantity: 7 }])
    expect(await stored('p-2')).toEqual([{ ...created, quantity: 7 }])
  })

  it('writes the last price of each kind of a product sent twice (erp.md#prices-3)', async () => {
    expect(
      await send([
        { product_id_erp: 'p-3', selling_price: 1, old_price: 8 },
        { product_id_erp: 'p-3', selling_price: 2, purchase_price: null },
      ]),
    ).toEqual({ processed: 2, updated: 2, errors: [] })
    expect(await stored('p-3')).toMatchObject([{ selling_price: 2, purchase_price: null, old_price: 8 }])
  })

  it('reports an unknown product and writes the rest (erp.md#prices-1)', async () => {
    expect(
      await send([
        { product_id_erp: 'unknown', selling_price: 1 },
        { product_id_erp: 'p-1', selling_price: 1 },
      ]),
    ).toEqual({
      processed: 2,
      updated: 1,
      errors: [{ product_id_erp: 'unknown', message: 'Product not found for given ERP ID.' }],
    })
  })

  it('refuses items without a price, and prices that are no amounts (erp.md#prices-5)', async () => {
    await expect(
      send([
        { product_id_erp: 'p-1', price: 5 },
        { product_id_erp: 'p-1', selling_price: 1.234 },
        { product_id_erp: 'p-1', old_price: -1 },
        { product_id_erp: 'p-1', purchase_price: '5' },
      ]),
    ).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: {
        errors: {
          '0.selling_price': ['One of selling_price, purchase_price and old_price is required.'],
          '1.selling_price': ['The selling_price must not have more than two decimals.'],
          '2.old_price': ['The old_price must be at least 0.'],
          '3.purchase_price': ['The purchase_price must be a number.'],
        },
      },
    })
    expect(await stored('p-1')).toEqual([])
  })

  it('rejects only the invalid items under the policy `reject-failed-rows`', async () => {
    const items = [{ product_id_erp: 'p-1' }, { product_id_erp: 'p-2', selling_price: 3 }]
    expect(await stock.send(updatePrices, items, { ...configured, erp_error_policy: 'reject_failed_rows' })).toEqual({
      processed: 2,
      updated: 1,
      errors: [{ product_id_erp: 'p-1', message: 'One of selling_price, purchase_price and old_price is required.' }],
    })
  })

  it('refuses the batch without a default storage and point (erp.md#stocks-configured)', async () => {
    const items = [{ product_id_erp: 'p-1', selling_price: 3 }]
    await expect(stock.send(updatePrices, items, defaultCallSettings)).rejects.toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'Default storage and pick-up point for ERP stocks must be configured.',
    })
  })

  it('refuses a change by an administrator who saw older prices (erp.md#prices-6)', async () => {
    await send([{ product_id_erp: 'p-4', selling_price: 1 }])
    const id = (await stored('p-4'))[0]?.id ?? 0
    const { revision } = await stock.ask(patchSupply, { id, patch: { old_price: 2 } })
    await stock.send(updateStocks, [{ product_id_erp: 'p-4', quantity: 7 }])
    await stock.ask(patchSupply, { id, patch: { old_price: 3 }, if_revisions: [revision ?? 0] })
    await send([{ product_id_erp: 'p-4', selling_price: 4 }])
    const stale = { id, patch: { selling_price: 1 }, if_revisions: [(revision ?? 0) + 1] }
    await expect(stock.ask(patchSupply, stale)).rejects.toMatchObject({ code: 'CHANGED' })
    expect(await stored('p-4')).toMatchObject([{ selling_price: 4, old_price: 3 }])
  })
})
