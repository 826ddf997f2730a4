import { deactivateCategories, deactivateProducts } from '@partsbus/contracts/catalog'
import {
  categoryDeactivated,
  categoryUpserted,
  productDeactivated,
  productRestored,
  productUpserted,
} from '@partsbus/contracts/events'
import type { DomainEvent } from '@partsbus/contracts/message'
import { streams } from '@partsbus/contracts/streams'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type CatalogUnderTest, eventually, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { sweepNotes } from './sweep-notes.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  await eventually(async () => (await messageCount().catch(() => undefined)) !== undefined)
})
afterAll(() => catalog.stop())
beforeEach(async () => {
  await quiet()
  await (await jetstreamManager(catalog.connection.nc)).streams.purge(streams.events.name)
})

async function messageCount(): Promise<number> {
  return (await (await jetstreamManager(catalog.connection.nc)).streams.info(streams.events.name)).state.messages
}

/** Nothing is owed to the stream. */
const quiet = () => eventually(async () => (await catalog.ctx.outbox.overdue(-1_000)).length === 0)

/** Everything the stream holds of an event, as a consumer that comes late reads it; each message fits its schema. */
async function heard<E extends DomainEvent>(
  event: E,
): Promise<Array<{ items: Array<{ erp_id: string; created?: boolean; changed?: string[] }> }>> {
  const manager = await jetstreamManager(catalog.connection.nc)
  const { name } = await manager.consumers.add(streams.events.name, {
    filter_subject: event.subject,
    ack_policy: 'none',
    mem_storage: true,
  })
  const consumer = await jetstream(catalog.connection.nc).consumers.get(streams.events.name, name)
  const { num_pending } = await consumer.info()
  const found = []
  for await (const message of await consumer.fetch({ max_messages: Math.max(num_pending, 1), expires: 1_000 }))
    found.push(event.payload.parse(message.json()))
  await manager.consumers.delete(streams.events.name, name)
  return found as Array<{ items: Array<{ erp_id: string; created?: boolean; changed?: string[] }> }>
}

const itemsOf = async (event: DomainEvent) => (await heard(event)).flatMap(({ items }) => items)

describe('events (rules.md#events, rules.md#events-list)', () => {
  it('tell what was created and what changed, after the write; an identical item makes none', async () => {
    await catalog.products([
      { id_erp: 'e1', name: 'A' },
      { id_erp: 'e2', name: 'B' },
    ])
    await catalog.products([
      { id_erp: 'e1', name: 'A' },
      { id_erp: 'e2', name: 'B2', article: 'x', category_id_erp: 'c' },
    ])
    await catalog.products([{ id_erp: 'e1', name: 'A' }])
    await quiet()
    const told = await itemsOf(productUpserted)
    expect(told.map(({ erp_id, created, changed }) => [erp_id, created, changed?.toSorted()])).toEqual([
      ['e1', true, []],
      ['e2', true, []],
      ['e2', false, ['article', 'categories', 'name']],
    ])
  })

  it('deactivated and restored', async () => {
    await catalog.products([{ id_erp: 'e3', name: 'A' }])
    await catalog.ask(deactivateProducts, { ids_erp: ['e3', 'unknown'] })
    await catalog.ask(deactivateProducts, { ids_erp: ['e3'] })
    await catalog.products([{ id_erp: 'e3', name: 'A' }])
    await catalog.categories([
      { id_erp: 'k1', name: 'K' },
      { id_erp: 'k2', name: 'K', parent_id_erp: 'k1' },
    ])
    await catalog.ask(deactivateCategories, { ids_erp: ['k2'] })
    await quiet()
    expect((await itemsOf(productDeactivated)).map(({ erp_id }) => erp_id)).toEqual(['e3'])
    expect((await itemsOf(productRestored)).map(({ erp_id }) => erp_id)).toEqual(['e3'])
    expect((await itemsOf(categoryDeactivated)).map(({ erp_id }) => erp_id)).toEqual(['k2'])
    expect((await itemsOf(categoryUpserted)).map(({ erp_id, changed }) => [erp_id, changed])).toEqual([
      ['k1', []],
      ['k2', []],
      ['k2', ['parent_id']],
    ])
  })

  it('a large batch is told in messages of at most 1 MiB', async () => {
    const items = Array.from({ length: 1_500 }, (_, at) => ({ id_erp: `${at}`.padEnd(191, '€'), name: 'Big' + at }))
    await catalog.products(items, { erp_max_batch_items: 5_000 })
    await quiet()
    const messages = await heard(productUpserted)
    expect(messages.length).toBeGreaterThan(1)
    for (const message of messages) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(1024 * 1024)
    expect(new Set(messages.flatMap((message) => message.items.map(({ erp_id }) => erp_id))).size).toBe(1_500)
  })
})

describe('a process that is killed between the write and the publish', () => {
  /** the notes of batches stay as if the process had ended after its writes */
  async function withoutPublishing(work: () => Promise<unknown>): Promise<void> {
    const { publish } = catalog.ctx
    catalog.ctx.publish = () => Promise.reject(new Error('killed'))
    try {
      await work()
      await eventually(async () => (await catalog.ctx.outbox.overdue(-1_000)).length > 0)
    } finally {
      catalog.ctx.publish = publish
    }
  }

  it('its events are published by the sweeper, once the note is due', async () => {
    await withoutPublishing(() => catalog.products([{ id_erp: 's1', name: 'S' }]))
    expect(await messageCount()).toBe(0)
    await sweepNotes(catalog.ctx, 0)
    expect((await itemsOf(productUpserted)).map(({ erp_id, created }) => [erp_id, created])).toEqual([['s1', true]])
    expect(await catalog.ctx.outbox.overdue(-1_000)).toEqual([])
  })

  it('also when another batch wrote the item since', async () => {
    await withoutPublishing(() => catalog.ask(deactivateProducts, { ids_erp: ['s1'] }))
    await catalog.products([{ id_erp: 's1', name: 'S' }])
    await sweepNotes(catalog.ctx, 0)
    expect((await itemsOf(productDeactivated)).map(({ erp_id }) => erp_id)).toEqual(['s1'])
  })

  it('what it never wrote is not told, and waits until no batch can be at work any more', async () => {
    await catalog.ctx.outbox.add('never', 'product.upserted', [
      ['s1', 0, ['name']],
      ['unknown', 1, []],
    ])
    await sweepNotes(catalog.ctx, 0)
    expect(await catalog.ctx.outbox.overdue(-1_000)).toHaveLength(1)
    await sweepNotes(catalog.ctx, 0, 0)
    expect(await catalog.ctx.outbox.overdue(-1_000)).toEqual([])
    expect(await itemsOf(productUpserted)).toEqual([])
  })

  it('a bus that was away gets its events when it is back', async () => {
    await catalog.bus.kill()
    await eventually(async () => !catalog.service.ctx.parts.bus.isUp())
    await catalog.ctx.outbox.add('owed', 'product.upserted', [['s1', 0, ['name']]])
    await catalog.ctx.products.collection.updateOne({ _id: 's1' }, { $set: { batches: ['owed'] } })
    await catalog.bus.restart()
    await eventually(async () => (await itemsOf(productUpserted).catch(() => [])).length > 0, 20_000)
  })

  it('a bus that comes back without its streams, too', async () => {
    await catalog.bus.restart({ emptied: true })
    await catalog.ctx.outbox.add('owed again', 'product.upserted', [['s1', 0, ['name']]])
    await catalog.ctx.products.collection.updateOne({ _id: 's1' }, { $set: { batches: ['owed again'] } })
    await eventually(async () => (await itemsOf(productUpserted).catch(() => [])).length > 0, 20_000)
  })
})
