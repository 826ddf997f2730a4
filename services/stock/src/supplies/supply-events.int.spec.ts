import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { supplyUpdated } from '@partsbus/contracts/events'
import { updateStocks } from '@partsbus/contracts/stock'
import { streams } from '@partsbus/contracts/streams'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { z } from 'zod'
import { startStockUnderTest, type StockUnderTest } from '../testing/stock-under-test.js'
import { SupplyEvents } from './supply-events.js'

type Payload = z.infer<typeof supplyUpdated.payload>

let stock: StockUnderTest
beforeAll(async () => {
  stock = await startStockUnderTest()
  for (let id = 1; id <= 5; id += 1) stock.products.set(`p-${id}`, id)
  const manager = await jetstreamManager(stock.connection.nc)
  expect(
    await waitUntil(
      () =>
        manager.streams.info(streams.events.name).then(
          () => true,
          () => false,
        ),
      { withinMs: 5_000 },
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
const notes = () => stock.db.collection('outbox').countDocuments()
const place = { storage_id: 5, pick_up_point_id: 7 }

/** The sweeper of a replica that takes every note for overdue. */
function sweeper(): SupplyEvents {
  const { ctx } = stock.service
  return new SupplyEvents({
    nc: stock.connection.nc,
    log: ctx.log,
    outbox: new OutboxStore(stock.db.collection('outbox')),
    supplies: ctx.supplies,
    overdueMs: -1_000,
  })
}

describe('stock.supply.updated', () => {
  it('is published after the write with ids and quantities, and its note goes', async () => {
    await stock.send(updateStocks, [
      { product_id_erp: 'p-1', quantity: 3 },
      { product_id_erp: 'p-2', quantity: 4 },
      { product_id_erp: 'unknown', quantity: 4 },
    ])
    expect(
      await waitUntil(async () => (await published()).length === 1 && (await notes()) === 0, { withinMs: 5_000 }),
    ).toBe(true)
    expect(await published()).toMatchObject([
      {
        ...place,
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
    expect(await waitUntil(async () => (await notes()) === 0, { withinMs: 5_000 })).toBe(true)
    expect(await published()).toEqual([])
  })

  it('killed between write and publish: another process publishes what stands in the database', async () => {
    const { ctx } = stock.service
    await ctx.events.note('killed', place, ['p-3', 'never-written'])
    await ctx.supplies.write(place, [{ product_id: 3, product_erp_id: 'p-3', quantity: 33 }])
    expect(await published()).toEqual([])
    await sweeper().sweep()
    expect(await published()).toMatchObject([
      { batch: 'killed-again', ...place, items: [{ product_id: 3, product_erp_id: 'p-3', quantity: 33 }] },
    ])
    expect(await notes()).toBe(0)
  })

  it('killed between note and write: nothing is owed and the note goes', async () => {
    await stock.service.ctx.events.note('early', place, ['never-written'])
    await sweeper().sweep()
    expect(await published()).toEqual([])
    expect(await notes()).toBe(0)
  })

  it('killed between publish and deletion of the note: the event is repeated, not lost', async () => {
    const { ctx } = stock.service
    await ctx.supplies.write(place, [{ product_id: 4, product_erp_id: 'p-4', quantity: 44 }])
    await ctx.events.note('told', place, ['p-4'])
    await sweeper().sweep()
    await ctx.events.note('told', place, ['p-4'])
    await sweeper().sweep()
    const events = await published()
    expect(events.length).toBeGreaterThanOrEqual(1)
    expect(new Set(events.map(({ batch }) => batch))).toEqual(new Set(['told-again']))
  })

  it('a stream that is away keeps the note; the answer does not wait for it, and the event comes later', async () => {
    const manager = await jetstreamManager(stock.connection.nc)
    await manager.streams.delete(streams.events.name)
    expect(await stock.send(updateStocks, [{ product_id_erp: 'p-5', quantity: 55 }])).toMatchObject({ updated: 1 })
    expect(await notes()).toBe(1)
    // the sweeper of the same process, which once had a stream, makes it again
    await stock.db.collection('outbox').updateMany({}, { $set: { at: new Date(0) } })
    expect(await waitUntil(async () => (await notes()) === 0, { withinMs: 12_000 })).toBe(true)
    expect(await published()).toMatchObject([{ items: [{ product_id: 5, quantity: 55 }] }])
  }, 20_000)
})
