import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  findSupplies,
  offeredPickUpPoints,
  patchSupply,
  resolveStorages,
  updateStocks,
} from '@partsbus/contracts/stock'
import type { Supplier } from '@partsbus/contracts/storage'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  stock.products.set('p-1', 1).set('p-2', 2)
})
afterAll(() => stock.stop())

const storage = (name: string, more: { is_active?: boolean; supplier?: Supplier } = {}) =>
  stock.ask(createStorage, { name, ...more })
const idsOf = async (request: Parameters<typeof stock.ask<typeof resolveStorages>>[1]) =>
  (await stock.ask(resolveStorages, request)).storages.map(({ id }) => id)

describe('what the search asks the stock', () => {
  it('the active storages among some ids, by id, with header values in clear', async () => {
    const http = {
      kind: 'http',
      base_url: 'http://supplier.example',
      headers: { Authorization: 'Bearer s3cr3t' },
    } as const
    const [first, second, closed] = [
      await storage('First', { supplier: http }),
      await storage('Second'),
      await storage('Closed', { is_active: false }),
    ]
    expect(
      await stock.ask(resolveStorages, { storage_ids: [second.id, closed.id, first.id, 999_999, second.id] }),
    ).toEqual({
      storages: [
        {
          id: first.id,
          name: 'First',
          supplier: { ...http, timeout_ms: 4_000, cache_seconds: 60, dialect: 'standard' },
        },
        { id: second.id, name: 'Second', supplier: { kind: 'own-stock' } },
      ],
    })
    expect(await idsOf({ storage_ids: [closed.id], include_inactive: true })).toEqual([closed.id])
    expect(await idsOf({ storage_ids: [] })).toEqual([])
  })

  it('the active storages of the active ones among some points', async () => {
    const [near, far, closed] = [
      await storage('Near'),
      await storage('Far'),
      await storage('Closed', { is_active: false }),
    ]
    const one = await stock.ask(createPickUpPoint, { name: 'One', storage_ids: [far.id, closed.id, near.id] })
    const two = await stock.ask(createPickUpPoint, { name: 'Two', storage_ids: [near.id] })
    const shut = await stock.ask(createPickUpPoint, { name: 'Shut', storage_ids: [far.id], is_active: false })
    expect(await idsOf({ pick_up_point_ids: [one.id, two.id] })).toEqual([near.id, far.id])
    expect(await idsOf({ pick_up_point_ids: [two.id, shut.id, 999_999] })).toEqual([near.id])
    expect(await idsOf({ pick_up_point_ids: [] })).toEqual([])
  })

  it('the active points by id, as partners see them: caption is the name, timetable the schedule', async () => {
    await stock.db.collection('pick_up_points').deleteMany({})
    const full = {
      country: 'KZ',
      region: 'R',
      city: 'Almaty',
      address: 'A 1',
      phone: '+7',
      email: 'a@b',
      description: 'd',
    }
    const one = await stock.ask(createPickUpPoint, { name: 'Main', schedule: '9-18', ...full })
    await stock.ask(createPickUpPoint, { name: 'Shut', is_active: false })
    const bare = await stock.ask(createPickUpPoint, { name: 'Bare' })
    expect(await stock.ask(offeredPickUpPoints, {})).toEqual({
      pick_up_points: [
        { id: one.id, caption: 'Main', timetable: '9-18', ...full },
        {
          id: bare.id,
          caption: 'Bare',
          timetable: '',
          country: null,
          region: null,
          city: null,
          address: '',
          phone: '',
          email: '',
          description: '',
        },
      ],
    })
  })

  it('the supplies of some products in some storages', async () => {
    for (const [erp_storage_id, quantity] of [
      [5, 4],
      [6, 7],
    ] as const) {
      await stock.send(
        updateStocks,
        ['p-1', 'p-2'].map((product_id_erp) => ({ product_id_erp, quantity, delivery_days: 2 })),
        { ...configured, erp_storage_id },
      )
    }
    const { id } = (await stock.db
      .collection<{ id: number }>('supplies')
      .findOne({ product_id: 1, storage_id: 5 })) ?? { id: 0 }
    await stock.ask(patchSupply, { id, patch: { selling_price: 12.5 } })
    const { supplies } = await stock.ask(findSupplies, { product_ids: [1, 3], storage_ids: [5, 6, 9] })
    expect(supplies).toMatchObject([
      { product_id: 1, storage_id: 5, quantity: 4, selling_price: 12.5, delivery_days: 2 },
      { product_id: 1, storage_id: 6, quantity: 7, selling_price: null, delivery_days: 2 },
    ])
    expect(Object.keys(supplies[0] ?? {}).sort()).toEqual([
      'delivery_days',
      'product_id',
      'quantity',
      'selling_price',
      'storage_id',
    ])
    expect(await stock.ask(findSupplies, { product_ids: [], storage_ids: [5] })).toEqual({ supplies: [] })
  })
})
