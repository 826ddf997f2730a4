import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { Msg } from '@nats-io/transport-node'
import { resolveProducts } from '@partsbus/contracts/catalog/commands'
import { supplyUpdated } from '@partsbus/contracts/events'
import { updateStocks } from '@partsbus/contracts/stock/commands'
import { streams } from '@partsbus/contracts/streams'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { z } from 'zod'
import { startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { SupplyEvents } from './supply-events.js'
import { SupplyStore } from './supply-store.js'

type Payload = z.infer<typeof supplyUpdated.payload>

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  for (let id = 1; id <= 6; id += 1) stock.products.set(`p-${id}`, id)
  const manager = await jetstreamManager(stock.connection.nc)
  expect(
    await waitUntil(
      () =>
        manager.streams.info(streams.events.name).then(
          () => true,
          () => false,
        ),
      { withinMs: 20_000 },
    ),
  ).toBe(true)
})
afterAll(() => stock.stop())
beforeEach(async () => {
  await (await jetstreamManager(stock.connection.nc)).streams.purge(streams.events.name)
})

/** Everything in the stream, as a consumer that comes late reads it. */
async function published(): Promise<Payload[]> {
  const manager = await jetstreamManager(stock.connection.nc)
  const { state } = await manager.streams.info(streams.events.name)
  if (state.messages === 0) return []
  const consumer = await jetstream(stock.connection.nc).consumers.get(streams.events.name)
  const messages: Payload[] = []
  for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 2_000 })) {
    expect(message.subject).toBe('stock.supply.updated')
    messages.push(supplyUpdated.payload.parse(message.json()))
  }
  return messages
}
const entries = () => stock.db.collection('outbox').countDocuments()
const location = { storage_id: 5, pick_up_point_id: 7 }

/** Sweeps as a replica for which every entry is overdue. */
const sweep = () =>
  new SupplyEvents(stock.connection, stock.get<Log>(LOG), stock.get(OutboxStore), stock.get(SupplyStore)).sweep(-1_000)

describe('stock.supply.updated', () => {
  it('is published after the write with ids and quantities, and its outbox entry is deleted', async () => {
    await stock.send(updateStocks, [
      { product_id_erp: 'p-1', quantity: 3 },
      { product_id_erp: 'p-2', quantity: 4 },
      { product_id_erp: 'unknown', quantity: 4 },
    ])
    expect(
      await waitUntil(async () => (await published()).length === 1 && (await entries()) === 0, { withinMs: 20_000 }),
    ).toBe(true)
    expect(await published()).toMatchObject([
      {
        ...location,
        items: [
          { product_id: 1, product_erp_id: 'p-1', quantity: 3 },
          { product_id: 2, product_erp_id: 'p-2', quantity: 4 },
        ],
      },
    ])
  })

  it('is not published when nothing was written', async () => {
    await stock.send(updateStocks, [{ product_id_erp: 'unknown', quantity: 4 }])
    stock.stopCatalog()
    await stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 4 }]).catch(() => undefined)
    stock.startCatalog()
    expect(await waitUntil(async () => (await entries()) === 0, { withinMs: 20_000 })).toBe(true)
    expect(await published()).toEqual([])
  })

  it('is published by another process with the stored quantities after a kill between write and publish', async () => {
    await stock.get(SupplyEvents).announce('killed', location, ['p-3', 'never-written'])
    await stock.get(SupplyStore).write(location, [{ product_id: 3, product_erp_id: 'p-3', quantity: 33 }])
    expect(await published()).toEqual([])
    await sweep()
    expect(await published()).toMatchObject([
      { batch: 'killed-again', ...location, items: [{ product_id: 3, product_erp_id: 'p-3', quantity: 33 }] },
    ])
    expect(await entries()).toBe(0)
  })

  it('is not published after a kill between the outbox entry and the write', async () => {
    await stock.get(SupplyEvents).announce('early', location, ['never-written'])
    await sweep()
    expect(await published()).toEqual([])
    expect(await entries()).toBe(0)
  })

  it('is published when the majority has what the batch wrote, not before', async () => {
    const outbox = stock.get(OutboxStore)
    await stock.get(SupplyEvents).announce('stalled', location, ['p-3'])
    const check = jest.spyOn(outbox, 'awaitMajority').mockRejectedValueOnce(new Error('no majority'))
    await sweep()
    expect(await entries()).toBe(1)
    check.mockImplementationOnce(async () => {
      await stock.get(SupplyStore).write(location, [{ product_id: 3, product_erp_id: 'p-3', quantity: 33 }])
      return true
    })
    await sweep()
    check.mockRestore()
    expect(await published()).toMatchObject([{ batch: 'stalled-again', items: [{ product_id: 3, quantity: 33 }] }])
    expect(await entries()).toBe(0)
  })

  it('is repeated, not lost, after a kill between publish and deletion of the entry', async () => {
    await stock.get(SupplyStore).write(location, [{ product_id: 4, product_erp_id: 'p-4', quantity: 44 }])
    await stock.get(SupplyEvents).announce('told', location, ['p-4'])
    await sweep()
    await stock.get(SupplyEvents).announce('told', location, ['p-4'])
    await sweep()
    const events = await published()
    expect(events.length).toBeGreaterThanOrEqual(1)
    expect(new Set(events.map(({ batch }) => batch))).toEqual(new Set(['told-again']))
  })

  it('is published later, without delaying the reply, when the stream is missing', async () => {
    const manager = await jetstreamManager(stock.connection.nc)
    await manager.streams.delete(streams.events.name)
    expect(await stock.send(updateStocks, [{ product_id_erp: 'p-5', quantity: 55 }])).toMatchObject({ updated: 1 })
    expect(await entries()).toBe(1)
    // the sweep of the same process creates the stream again
    await stock.db.collection('outbox').updateMany({}, { $set: { at: new Date(0) } })
    expect(await waitUntil(async () => (await entries()) === 0, { withinMs: 20_000 })).toBe(true)
    expect(await published()).toMatchObject([{ items: [{ product_id: 5, quantity: 55 }] }])
  })

  // rules.md#events-revision
  it('carries a revision that rises with each write, and the stored quantity (rules.md#events-revision)', async () => {
    for (const quantity of [6, 7]) await stock.send(updateStocks, [{ product_id_erp: 'p-6', quantity }])
    expect(await waitUntil(async () => (await published()).length === 2, { withinMs: 20_000 })).toBe(true)
    expect(await waitUntil(async () => (await entries()) === 0, { withinMs: 20_000 })).toBe(true)
    // published late, after the second write
    await stock.get(SupplyEvents).announce('late', location, ['p-6'])
    await sweep()
    const items = (await published()).flatMap((event) => event.items)
    expect(items.map(({ revision }) => revision)).toEqual([1, 2, 2])
    expect(items.at(-1)).toEqual({ product_id: 6, product_erp_id: 'p-6', quantity: 7, revision: 2 })
  })

  it('keeps its outbox entry from becoming overdue while the catalog is slow', async () => {
    stock.stopCatalog()
    const held: Msg[] = []
    const catalog = stock.connection.nc.subscribe(resolveProducts.subject, {
      callback: (_error, message) => void held.push(message),
    })
    const reply = stock.send(updateStocks, [{ product_id_erp: 'p-1', quantity: 8 }])
    expect(await waitUntil(async () => (await entries()) === 1 && held.length === 1, { withinMs: 20_000 })).toBe(true)
    const outbox = stock.db.collection('outbox')
    await outbox.updateMany({}, { $set: { at: new Date(0) } })
    const isYoung = async () => (await outbox.countDocuments({ at: { $gt: new Date(1_000) } })) === 1
    expect(await waitUntil(isYoung, { withinMs: 20_000 })).toBe(true)
    catalog.unsubscribe()
    held[0]?.respond(JSON.stringify({ products: [{ erp_id: 'p-1', id: 1 }] }))
    stock.startCatalog()
    expect(await reply).toMatchObject({ updated: 1 })
  })
})
