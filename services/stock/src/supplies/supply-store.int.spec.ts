import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  createPickUpPoint,
  createStorage,
  getHighestProductId,
  getSupply,
  listSupplies,
  patchSupply,
  updatePrices,
  updateStocks,
} from '@partsbus/contracts/stock/commands'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { CommandStartedEvent } from 'mongodb'
import { configured, startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { LatestUpdateStore } from '../overview/latest-update-store.js'
import { SupplyBatches } from './supply-batches.js'
import { SupplyEvents } from './supply-events.js'
import { SupplyIds } from './supply-ids.js'
import { SupplyStore } from './supply-store.js'
import { UpdateStocks } from './update-stocks.js'

const COUNT = 1_000
let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  for (let id = 1; id <= COUNT; id += 1) stock.products.set(`p-${id}`, id)
})
afterAll(() => stock.stop())
beforeEach(() => stock.db.collection('supplies').deleteMany({}))

const batch = (quantity: number) =>
  Array.from({ length: COUNT }, (_, at) => ({ product_id_erp: `p-${at + 1}`, quantity }))
const stored = () => stock.db.collection('supplies').find().sort({ id: 1 }).toArray()

/** Longer than a batch takes on the busiest machine. */
const DELETE_AFTER_MS = 600_000

/** The use case with an outbox of its own, and the commands it sends to the database. */
async function countCommands(name: string) {
  const supplies = new SupplyStore(stock.db, new SupplyIds(new CounterStore(stock.db.collection('counters'))))
  const outbox = new OutboxStore(stock.db.collection(`outbox_${name}`), DELETE_AFTER_MS)
  await outbox.ensureIndexes()
  const events = new SupplyEvents(stock.connection, stock.get<Log>(LOG), outbox, supplies)
  const commands: string[] = []
  stock.client.on('commandStarted', (event: CommandStartedEvent) =>
    commands.push(`${event.commandName} ${String(event.command[event.commandName])}`),
  )
  const batches = new SupplyBatches(stock.get(BusClient), events, stock.get(LatestUpdateStore))
  return { useCase: new UpdateStocks(batches, supplies), events, commands }
}

describe('round trips', () => {
  it('are two for 1,000 supplies that exist, and one more, or two for the first ones, when they are new', async () => {
    await stock.send(updateStocks, batch(1))
    const { useCase, events, commands } = await countCommands('counted')
    const call = { body: { rejected: [], processed: COUNT }, timeLeft: () => 20_000 }
    /** The supplies of an event are read after the reply. */
    const update = async (quantity: number, storage = 5) => {
      const body = { ...call.body, items: batch(quantity) }
      await useCase.updateStocks({ ...call, body, settings: { ...configured, erp_storage_id: storage } })
      const sent = commands.splice(0).filter((command) => command !== 'find supplies')
      return sent.sort()
    }
    const entry = 'insert outbox_counted'
    for (const quantity of [2, 3, 4]) expect(await update(quantity)).toEqual([entry, 'update supplies'])
    expect(await update(5, 6)).toEqual(['findAndModify counters', entry, 'insert supplies', 'update supplies'])
    expect(await update(6, 8)).toEqual([entry, 'insert supplies'])
    // it reads first, and finds that all exist
    expect(await update(7, 8)).toEqual([entry, 'update supplies'])
    expect(await update(8, 8)).toEqual([entry, 'update supplies'])
    await events.flush()
    // one deletion for the entries of all batches, and none before a reply
    expect(commands.filter((command) => command.startsWith('delete'))).toEqual(['delete outbox_counted'])
    expect(await stock.db.collection('outbox_counted').countDocuments()).toBe(0)
  })
})

describe('a batch of supplies of which some exist', () => {
  it.each([11, 12])('updates those and creates the others, in storage %i', async (erp_storage_id) => {
    const settings = { ...configured, erp_storage_id }
    const items = batch(1).slice(0, 10)
    await stock.send(updateStocks, items.slice(0, 5), settings)
    await stock.send(updateStocks, items, settings)
    const all = await stored()
    expect(all.map(({ product_id }) => product_id).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(all.map(({ id }) => id)).size).toBe(10)
    for (const { product_id, revision } of all) expect(revision > 1).toBe(product_id <= 5)
  })

  it('writes each of those once, so that no reader sees the quantity of another batch go back', async () => {
    const settings = { ...configured, erp_storage_id: 13 }
    const [known, all] = [batch(5).slice(0, 5), batch(5).slice(0, 10)]
    // the process reads first after a batch with new ones, and writes first after one without
    for (const items of [known, known, all]) await stock.send(updateStocks, items, settings)
    const revisions = (await stored()).map(({ product_id, revision }) => [product_id <= 5, revision])
    expect(revisions).toEqual([...Array(5).fill([true, 3]), ...Array(5).fill([false, 1])])
  })
})

describe('ids', () => {
  it('are not used up by updates', async () => {
    await stock.send(updateStocks, batch(1))
    const ids = (await stored()).map(({ id }) => id)
    await stock.send(updateStocks, batch(2))
    await stock.send(updateStocks, batch(3), { ...configured, erp_storage_id: 6 })
    const all = (await stored()).map(({ id }) => id)
    expect(all.slice(0, COUNT)).toEqual(ids)
    expect(new Set(all).size).toBe(2 * COUNT)
    expect(Math.max(...all) - Math.min(...all)).toBe(2 * COUNT - 1)
  })
})

describe('concurrency', () => {
  it('of the same 1,000 items in opposite order, from two processes, leaves one supply each', async () => {
    await stock.startReplica()
    const queue = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? batch(at) : batch(at).reverse()))
    const answers: unknown[] = []
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) answers.push(await stock.send(updateStocks, next))
    }
    const start = Date.now()
    await Promise.all([worker(), worker(), worker(), worker()])
    expect(answers).toEqual(Array(8).fill({ processed: COUNT, updated: COUNT, errors: [] }))
    expect(Date.now() - start).toBeLessThan(40_000)
    const all = await stored()
    expect(all).toHaveLength(COUNT)
    expect(new Set(all.map(({ id }) => id)).size).toBe(COUNT)
  })
})

describe('stock and prices of the same new products at once, from two processes', () => {
  it('are both stored', async () => {
    for (const erp_storage_id of [21, 22, 23]) {
      const settings = { ...configured, erp_storage_id }
      const sent = [...stock.products.keys()].map((product_id_erp) => ({ product_id_erp, selling_price: 9 }))
      await Promise.all([
        stock.send(updateStocks, batch(7), settings),
        stock.send(updatePrices, sent, settings),
        stock.send(updateStocks, batch(7), settings),
      ])
      const all = await stock.db.collection('supplies').find({ storage_id: erp_storage_id }).toArray()
      expect(all).toHaveLength(COUNT)
      expect(all.filter(({ quantity, selling_price }) => quantity !== 7 || selling_price !== 9)).toEqual([])
    }
  })
})

describe('GET and PATCH /supplies', () => {
  const prices = { purchase_price: 10.25, selling_price: 19.99, old_price: null, reserved: 3, shipped: 4 }

  it('never changes in a batch what an administrator wrote (erp.md#stocks-7)', async () => {
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 1 }])
    const {
      data: [supply],
    } = await stock.ask(listSupplies, { page: 1, per_page: 1 })
    const patched = await stock.ask(patchSupply, { id: supply?.id ?? 0, patch: prices })
    const { revision, ...row } = patched
    expect(await stock.ask(getSupply, { id: row.id })).toEqual(patched)
    expect(row).toEqual({ ...supply, ...prices })
    expect(revision).toBe(1)
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 50, delivery_days: 9 }])
    expect((await stock.ask(listSupplies, { page: 1, per_page: 1 })).data).toEqual([
      { ...row, quantity: 50, delivery_days: 9 },
    ])
  })

  it.each<[object, string, string]>([
    [{ selling_price: 1.005 }, 'selling_price', 'The selling_price must not have more than two decimals.'],
    [{ old_price: -1 }, 'old_price', 'The old_price must be at least 0.'],
    [{ reserved: -1 }, 'reserved', 'The reserved must be at least 0.'],
    [{ quantity: 1 }, 'quantity', 'The quantity field is unknown.'],
  ])('refuses %j', async (patch, field, text) => {
    await expect(stock.ask(patchSupply, { id: 1, patch })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      details: { errors: { [`patch.${field}`]: [text] } },
    })
  })

  it('returns NOT_FOUND for an unknown supply', async () => {
    const notFound = { code: 'NOT_FOUND', message: 'Not found.' }
    await expect(stock.ask(patchSupply, { id: 999_999_999, patch: {} })).rejects.toMatchObject(notFound)
    await expect(stock.ask(getSupply, { id: 999_999_999 })).rejects.toMatchObject(notFound)
  })

  it('returns pages by id, filtered by product, storage and point', async () => {
    const items = ['p-3', 'p-1', 'p-2'].map((product_id_erp) => ({ product_id_erp, quantity: 1 }))
    for (const erp_storage_id of [5, 6]) {
      for (const item of items) await stock.send(updateStocks, [item], { ...configured, erp_storage_id })
    }
    const pages = [
      await stock.ask(listSupplies, { page: 1, per_page: 4 }),
      await stock.ask(listSupplies, { page: 2, per_page: 4 }),
    ]
    expect(pages).toMatchObject([
      { total: 6, page: 1, per_page: 4 },
      { total: 6, page: 2, per_page: 4 },
    ])
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
    expect(ids).toHaveLength(6)
    const narrowed = (filter: object) => stock.ask(listSupplies, { page: 1, per_page: 50, ...filter })
    expect(await narrowed({ product_erp_id: 'p-2' })).toMatchObject({
      total: 2,
      data: [{ product_id: 2 }, { product_id: 2 }],
    })
    expect(await narrowed({ product_erp_id: 'p-2', storage_id: 6 })).toMatchObject({
      total: 1,
      data: [{ product_id: 2, storage_id: 6 }],
    })
    expect(await narrowed({ storage_id: 5 })).toMatchObject({ total: 3 })
    expect(await narrowed({ pick_up_point_id: 8 })).toMatchObject({ total: 0, data: [] })
  })
})

describe('a counter that was restored to an older value', () => {
  it('is raised above the stored ids at start', async () => {
    await stock.send(updateStocks, batch(1))
    const point = await stock.ask(createPickUpPoint, { name: 'Point' })
    const storage = await stock.ask(createStorage, { name: 'Storage' })
    await stock.stopServices()
    await stock.db.collection('counters').updateMany({}, { $set: { value: 0 } })
    await stock.startReplica()
    expect((await stock.ask(createPickUpPoint, { name: 'Next' })).id).toBeGreaterThan(point.id)
    expect((await stock.ask(createStorage, { name: 'Next' })).id).toBeGreaterThan(storage.id)
    expect(await stock.send(updateStocks, batch(1), { ...configured, erp_storage_id: 6 })).toMatchObject({
      updated: COUNT,
    })
  })
})

describe('a database of an earlier release', () => {
  it('has the unique index of supply ids replaced by a plain one at start', async () => {
    const supplies = stock.db.collection('supplies')
    const names = async (): Promise<string[]> => (await supplies.indexes()).map(({ name }) => String(name)).sort()
    const expected = ['_id_', 'id', 'pick_up_point_id', 'product_erp_id', 'product_id', 'storage_id']
    expect(await names()).toEqual(expected)
    await stock.stopServices()
    await supplies.dropIndex('id')
    await supplies.createIndex({ id: 1 }, { name: 'id_unique', unique: true })
    await stock.startReplica()
    await stock.startReplica()
    expect(await names()).toEqual(expected)
  })
})

describe('the highest product id of the supplies (rules.md#restored-ids)', () => {
  const highest = () => stock.ask(getHighestProductId, {})

  it('is read anew after it was raised, and after the supplies were replaced', async () => {
    await stock.reset(COUNT)
    expect(await highest()).toEqual({ product_id: 0 })
    expect(await stock.send(updateStocks, batch(1))).toMatchObject({ updated: COUNT })
    expect(await highest()).toEqual({ product_id: COUNT })
    await stock.db.collection('supplies').updateOne({ product_id: COUNT }, { $set: { product_id: 7_000 } })
    expect(await highest()).toEqual({ product_id: 7_000 })
    await stock.db.collection('supplies').deleteMany({ product_id: { $gt: 3 } })
    expect(await highest()).toEqual({ product_id: 3 })
  })
})
