import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  findSupplies,
  listOfferedPickUpPoints,
  patchSupply,
  resolveStorages,
  updateStocks,
} from '@partsbus/contracts/stock/commands'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { StorageStore } from './storage-store.js'

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

describe('requests of the search', () => {
  it('return the active ones of the given storages by id, with header values in clear', async () => {
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

  it('return the active storages of the active ones of the given points', async () => {
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

  it('return the active points by id, with the name as caption and the schedule as timetable', async () => {
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
    expect(await stock.ask(listOfferedPickUpPoints, {})).toEqual({
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

  it('return the supplies of the given products in the given storages', async () => {
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

  it('return a storage whose header values cannot be decrypted without a supplier, beside the others', async () => {
    const headers = { Authorization: 'Bearer s3cr3t' }
    const sealed = await storage('Sealed', { supplier: { kind: 'http', base_url: 'https://parts.example', headers } })
    const own = await storage('Own')
    await stock.stopServices()
    const replica = await stock.startReplica({ SECRETS_KEY: [randomBytes(32)] })
    expect(await stock.ask(resolveStorages, { storage_ids: [sealed.id, own.id] })).toEqual({
      storages: [
        { id: sealed.id, name: 'Sealed', supplier: null },
        { id: own.id, name: 'Own', supplier: { kind: 'own-stock' } },
      ],
    })
    await replica.stop()
  })

  it('find header values sealed with the new key after SECRETS_KEY was replaced', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)]
    let replica = await stock.startReplica({ SECRETS_KEY: [older] })
    const headers = { Authorization: 'Bearer s3cr3t' }
    const { id } = await storage('Rotated', { supplier: { kind: 'http', base_url: 'https://parts.example', headers } })
    await replica.stop()
    replica = await stock.startReplica({ SECRETS_KEY: [newer, older] })
    const box = new SecretBox([newer])
    const isResealed = async () => {
      const stored = await replica.app.get(StorageStore).get(id)
      return stored?.supplier.kind === 'http' && stored.supplier.headers.every(({ sealed }) => box.isCurrent(sealed))
    }
    expect(await waitUntil(isResealed, { withinMs: 20_000 })).toBe(true)
    await replica.stop()
    replica = await stock.startReplica({ SECRETS_KEY: [newer] })
    expect(await stock.ask(resolveStorages, { storage_ids: [id] })).toMatchObject({
      storages: [{ supplier: { headers } }],
    })
    await replica.stop()
  })
})
