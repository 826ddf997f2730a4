import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  deletePickUpPoint,
  deleteStorage,
  getPickUpPoint,
  listPickUpPoints,
  patchPickUpPoint,
  updateStocks,
} from '@partsbus/contracts/stock/commands'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { SupplyEvents } from '../supplies/supply-events.js'

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  stock.products.set('p-1', 1)
})
afterAll(() => stock.stop())

const newStorage = async () => (await stock.ask(createStorage, { name: 'Shelf' })).id
const violation = (errors: Record<string, string[]>) => ({
  code: 'CONTRACT_VIOLATION',
  message: 'The given data was invalid.',
  details: { errors },
})
const notFound = { code: 'NOT_FOUND', message: 'Not found.' }

describe('/pick-up-points', () => {
  it('creates a point with defaults when only the name is sent', async () => {
    const point = await stock.ask(createPickUpPoint, { name: 'Main' })
    expect(point).toEqual({
      id: expect.any(Number),
      name: 'Main',
      country: null,
      region: null,
      city: null,
      address: '',
      phone: '',
      email: '',
      description: '',
      schedule: '',
      is_active: true,
      storage_ids: [],
      revision: 1,
    })
    expect(await stock.ask(getPickUpPoint, { id: point.id })).toEqual(point)
  })

  it('stores all fields, and each storage once in the order sent', async () => {
    const [one, two] = [await newStorage(), await newStorage()]
    const fields = {
      name: 'Склад',
      country: 'Россия',
      region: 'Область',
      city: 'Город',
      address: 'Улица, 1',
      phone: '+7 000',
      email: 'a@b.example',
      description: 'x',
      schedule: '9–18',
      is_active: false,
    }
    const point = await stock.ask(createPickUpPoint, { ...fields, storage_ids: [two, one, two] })
    expect(point).toEqual({ id: point.id, ...fields, storage_ids: [two, one], revision: 1 })
  })

  it('changes the fields sent and no others', async () => {
    const storage = await newStorage()
    const point = await stock.ask(createPickUpPoint, { name: 'Old', city: 'City', phone: '1', storage_ids: [storage] })
    expect(await stock.ask(patchPickUpPoint, { id: point.id, patch: { name: 'New', city: null } })).toEqual({
      ...point,
      name: 'New',
      city: null,
      revision: 2,
    })
    expect(await stock.ask(patchPickUpPoint, { id: point.id, patch: { storage_ids: [], is_active: false } })).toEqual({
      ...point,
      name: 'New',
      city: null,
      revision: 3,
      storage_ids: [],
      is_active: false,
    })
    expect(await stock.ask(patchPickUpPoint, { id: point.id, patch: {} })).toMatchObject({ name: 'New' })
  })

  it('refuses an unknown storage at its index in storage_ids and writes nothing', async () => {
    const storage = await newStorage()
    const errors = { 'storage_ids.1': ['The selected storage_ids.1 is invalid.'] }
    await expect(stock.ask(createPickUpPoint, { name: 'No', storage_ids: [storage, 999_999] })).rejects.toMatchObject(
      violation(errors),
    )
    const point = await stock.ask(createPickUpPoint, { name: 'Yes', storage_ids: [storage] })
    await expect(
      stock.ask(patchPickUpPoint, { id: point.id, patch: { name: 'No', storage_ids: [storage, 999_999] } }),
    ).rejects.toMatchObject(violation(errors))
    expect(await stock.ask(getPickUpPoint, { id: point.id })).toEqual(point)
  })

  it('returns pages by id with the total', async () => {
    const first = await stock.ask(listPickUpPoints, { page: 1, per_page: 2 })
    const second = await stock.ask(listPickUpPoints, { page: 2, per_page: 2 })
    expect(first).toMatchObject({ total: 4, page: 1, per_page: 2 })
    const ids = [...first.data, ...second.data].map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(ids).toHaveLength(4)
  })

  it('returns NOT_FOUND for an unknown point', async () => {
    await expect(stock.ask(getPickUpPoint, { id: 999_999 })).rejects.toMatchObject(notFound)
    await expect(stock.ask(patchPickUpPoint, { id: 999_999, patch: { name: 'x' } })).rejects.toMatchObject(notFound)
    await expect(stock.ask(deletePickUpPoint, { id: 999_999 })).rejects.toMatchObject(notFound)
  })

  it('deletes a point unless supplies refer to it', async () => {
    const { id } = await stock.ask(createPickUpPoint, { name: 'Gone' })
    expect(await stock.ask(deletePickUpPoint, { id })).toEqual({})
    await expect(stock.ask(getPickUpPoint, { id })).rejects.toMatchObject(notFound)

    const used = await stock.ask(createPickUpPoint, { name: 'Used' })
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 1 }], {
      ...configured,
      erp_pick_up_point_id: used.id,
    })
    await expect(stock.ask(deletePickUpPoint, { id: used.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Pick-up point ${used.id} is used by 1 supply.`,
    })
    expect(await stock.ask(getPickUpPoint, { id: used.id })).toEqual(used)
  })

  it('keeps a point, visible all the time, while an announced batch has not written', async () => {
    const point = await stock.ask(createPickUpPoint, { name: 'Raced' })
    await stock.get(SupplyEvents).announce('slow', { pick_up_point_id: point.id, storage_id: 5 }, ['p-1'])
    const refused = expect(stock.ask(deletePickUpPoint, { id: point.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Pick-up point ${point.id} is used by a stock update in progress.`,
    })
    expect(await stock.ask(getPickUpPoint, { id: point.id })).toEqual(point)
    await refused
  })

  it('lets only one of two concurrent requests succeed: link a storage, or delete it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const storage = await newStorage()
      const [deleted, created] = await Promise.allSettled([
        stock.ask(deleteStorage, { id: storage }),
        stock.ask(createPickUpPoint, { name: 'Linked', storage_ids: [storage] }),
      ])
      expect([deleted.status, created.status].sort()).toEqual(['fulfilled', 'rejected'])
      if (deleted.status === 'rejected') expect(deleted.reason).toMatchObject({ code: 'CONFLICT' })
      if (created.status === 'rejected') expect(created.reason).toMatchObject({ code: 'CONTRACT_VIOLATION' })
    }
  })
})
