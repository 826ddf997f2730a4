import { deactivateCategories, deactivateProducts } from '@partsbus/contracts/catalog/commands'
import {
  categoryDeactivated,
  categoryUpserted,
  productDeactivated,
  productRestored,
  productUpserted,
} from '@partsbus/contracts/events'
import type { DomainEvent } from '@partsbus/contracts/message'
import { streams } from '@partsbus/contracts/streams'
import { runInScope } from '@partsbus/platform/bus/call-scope'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { MongoServerError } from 'mongodb'
import { OutboxRelay } from '../outbox-relay.js'
import type { ProductDocument } from '../products/product-document.js'
import { ProductStore } from '../products/product-store.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { EventOutbox } from './event-outbox.js'

let catalog: CatalogUnderTest
let outbox: OutboxStore
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  outbox = catalog.get(OutboxStore)
  await waitFor(
    () => messageCount().catch(() => undefined),
    (count) => count !== undefined,
  )
})
afterAll(() => catalog.stop())
beforeEach(async () => {
  await isPublished()
  await (await jetstreamManager(catalog.connection.nc)).streams.purge(streams.events.name)
})

async function messageCount(): Promise<number> {
  return (await (await jetstreamManager(catalog.connection.nc)).streams.info(streams.events.name)).state.messages
}

/** Waits until the outbox is empty. */
const isPublished = () =>
  waitFor(
    () => outbox.overdue(-1_000),
    (entries) => entries.length === 0,
  )
/** One pass of the relay over entries of any age. */
const relay = (abandonedAfterMs?: number) =>
  catalog.get(OutboxRelay).relay(() => false, {
    overdueAfterMs: -1_000,
    ...(abandonedAfterMs !== undefined && { abandonedAfterMs }),
  })
const traced = { requestId: 'traced', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
const revOf = async (erpId: string): Promise<number> =>
  (await catalog.get(ProductStore).findByErpIds([erpId])).get(erpId)?.rev ?? 0

interface Message {
  items: Array<{ erp_id: string; created?: boolean; changed?: string[] }>
}

/** All messages of an event on the stream; each fits its schema. */
async function readMessages<E extends DomainEvent>(event: E): Promise<Message[]> {
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
  return found as Message[]
}

/** The header `traceparent` of the latest message of an event. */
async function readTraceparent(event: DomainEvent): Promise<string | undefined> {
  const { streams: api } = await jetstreamManager(catalog.connection.nc)
  return (await api.getMessage(streams.events.name, { last_by_subj: event.subject }))?.header.get('traceparent')
}

const readItems = async (event: DomainEvent) => (await readMessages(event)).flatMap(({ items }) => items)
const readIds = async (event: DomainEvent) => (await readItems(event)).map(({ erp_id }) => erp_id)

describe('events (rules.md#events)', () => {
  // rules.md#events-list, promises.md#promise-2
  it('name created items and changed fields; an unchanged item has none', async () => {
    await catalog.products([
      { id_erp: 'e1', name: 'A' },
      { id_erp: 'e2', name: 'B' },
    ])
    await catalog.categories([{ id_erp: 'c', name: 'C' }])
    await catalog.products([
      { id_erp: 'e1', name: 'A' },
      { id_erp: 'e2', name: 'B2', article: 'x', category_id_erp: 'c', slug: 'other' },
    ])
    await catalog.products([{ id_erp: 'e1', name: 'A' }])
    await isPublished()
    const items = await readItems(productUpserted)
    expect(items.map(({ erp_id, created, changed }) => [erp_id, created, changed?.toSorted()])).toEqual([
      ['e1', true, []],
      ['e2', true, []],
      ['e2', false, ['article', 'categories', 'name', 'slug']],
    ])
  })

  it('report deactivated and restored items', async () => {
    await catalog.products([{ id_erp: 'e3', name: 'A' }])
    await catalog.ask(deactivateProducts, { ids_erp: ['e3', 'unknown'] })
    await catalog.ask(deactivateProducts, { ids_erp: ['e3'] })
    await catalog.products([{ id_erp: 'e3', name: 'A' }])
    await catalog.categories([
      { id_erp: 'k1', name: 'K' },
      { id_erp: 'k2', name: 'K', parent_id_erp: 'k1' },
    ])
    await catalog.ask(deactivateCategories, { ids_erp: ['k2'] })
    await isPublished()
    expect(await readIds(productDeactivated)).toEqual(['e3'])
    expect(await readIds(productRestored)).toEqual(['e3'])
    expect(await readIds(categoryDeactivated)).toEqual(['k2'])
    expect((await readItems(categoryUpserted)).map(({ erp_id, changed }) => [erp_id, changed])).toEqual([
      ['k1', []],
      ['k2', []],
      ['k2', ['parent_id']],
    ])
  })

  it('are not published for a parent or a category that is only remembered (rules.md#events-changed)', async () => {
    await catalog.categories([{ id_erp: 'child', name: 'C' }])
    await catalog.products(['waiting', 'waiting too'].map((id_erp) => ({ id_erp, name: 'W' })))
    await isPublished()
    await (await jetstreamManager(catalog.connection.nc)).streams.purge(streams.events.name)
    await catalog.categories([{ id_erp: 'child', name: 'C', parent_id_erp: 'parent to come' }])
    await catalog.products([{ id_erp: 'waiting', name: 'W', category_id_erp: 'category to come' }])
    expect(await revOf('waiting')).toBe(2)
    await isPublished()
    expect(await messageCount()).toBe(0)
    await catalog.products([
      { id_erp: 'waiting too', name: 'W', category_id_erp: 'category to come' },
      { id_erp: 'beside it', name: 'B' },
    ])
    await isPublished()
    expect([await revOf('waiting too'), await readIds(productUpserted)]).toEqual([2, ['beside it']])
  })

  it('report the products whose category arrives after them', async () => {
    await catalog.products([
      { id_erp: 'l1', name: 'L', category_id_erp: 'late' },
      { id_erp: 'l2', name: 'L', category_id_erp: 'late' },
    ])
    await isPublished()
    await (await jetstreamManager(catalog.connection.nc)).streams.purge(streams.events.name)
    await catalog.categories([{ id_erp: 'late', name: 'Late' }])
    const items = await waitFor(
      () => readItems(productUpserted),
      (found) => found.length > 0,
      20_000,
    )
    expect(items).toEqual(
      ['l1', 'l2'].map((erp_id) => expect.objectContaining({ erp_id, created: false, changed: ['categories'] })),
    )
    await waitFor(
      () => catalog.db.collection('awaited_categories').countDocuments(),
      (count) => count <= 1,
    )
  })

  it('carry the trace of their request', async () => {
    await runInScope(traced, () => catalog.products([{ id_erp: 'traced', name: 'T' }]))
    await isPublished()
    expect(await readTraceparent(productUpserted)).toBe(traced.traceparent)
    await catalog.products([{ id_erp: 'untraced', name: 'T' }])
    await isPublished()
    expect(await readTraceparent(productUpserted)).toBe('')
  })

  it('of a large batch are split into messages of at most 1 MiB', async () => {
    const items = Array.from({ length: 1_500 }, (_, at) => ({ id_erp: `${at}`.padEnd(191, '€'), name: 'Big' + at }))
    await catalog.products(items, { erp_max_batch_items: 5_000 })
    await isPublished()
    const messages = await readMessages(productUpserted)
    expect(messages.length).toBeGreaterThan(1)
    for (const message of messages) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(1024 * 1024)
    expect(new Set(messages.flatMap((message) => message.items.map(({ erp_id }) => erp_id))).size).toBe(1_500)
  })
})

describe('the relay', () => {
  /** Leaves the outbox entries of the batches, as if the process had been killed after its writes. */
  async function withoutPublishing(work: () => Promise<unknown>): Promise<void> {
    const publish = jest.spyOn(catalog.get(EventOutbox), 'publish').mockRejectedValue(new Error('killed'))
    try {
      await work()
      await waitFor(
        async () => publish.mock.calls.length,
        (calls) => calls > 0,
      )
    } finally {
      publish.mockRestore()
    }
  }

  it('publishes the events of a batch whose process was killed after its writes (rules.md#events-once)', async () => {
    await withoutPublishing(() => catalog.products([{ id_erp: 's1', name: 'S' }]))
    expect(await messageCount()).toBe(0)
    await relay()
    expect((await readItems(productUpserted)).map(({ erp_id, created }) => [erp_id, created])).toEqual([['s1', true]])
    expect(await outbox.overdue(-1_000)).toEqual([])
  })

  it('publishes them with the trace of the request that made the batch', async () => {
    await withoutPublishing(() => runInScope(traced, () => catalog.products([{ id_erp: 's2', name: 'S' }])))
    await relay()
    expect(await readIds(productUpserted)).toEqual(['s2'])
    expect(await readTraceparent(productUpserted)).toBe(traced.traceparent)
  })

  it('publishes them also when another batch has written the item since', async () => {
    await withoutPublishing(() => catalog.ask(deactivateProducts, { ids_erp: ['s1'] }))
    await catalog.products([{ id_erp: 's1', name: 'S' }])
    await relay()
    expect(await readIds(productDeactivated)).toEqual(['s1'])
  })

  it('publishes them also when later batches have pushed the id of the batch out of the item', async () => {
    await withoutPublishing(() => catalog.ask(deactivateProducts, { ids_erp: ['s1'] }))
    await catalog
      .get(ProductStore)
      .collection.updateOne({ _id: 's1' }, { $set: { batches: ['later'] }, $inc: { rev: 1 } })
    await relay()
    expect(await readIds(productDeactivated)).toEqual([])
    await relay(0)
    expect(await readIds(productDeactivated)).toEqual(['s1'])
  })

  it('publishes an abandoned entry of an earlier version, which has no revisions', async () => {
    await outbox.add('earlier', 'product.upserted', [['s1', 0, ['name']]])
    await relay(0)
    expect(await readIds(productUpserted)).toEqual(['s1'])
  })

  it('waits while the batch may still be at work, and never reports what was not written', async () => {
    await outbox.add('never', 'product.upserted', [
      ['s1', 0, ['name'], (await revOf('s1')) + 1],
      ['unknown', 1, [], 1],
    ])
    await relay()
    expect(await outbox.overdue(-1_000)).toHaveLength(1)
    await relay(0)
    expect(await outbox.overdue(-1_000)).toEqual([])
    expect(await readItems(productUpserted)).toEqual([])
  })

  it('judges no abandoned entry before the majority has what its batch wrote (rules.md#events-once)', async () => {
    await outbox.add('stalled', 'product.upserted', [['s1', 0, ['name'], (await revOf('s1')) + 1]])
    const check = jest
      .spyOn(outbox, 'awaitMajority')
      .mockRejectedValueOnce(new MongoServerError({ code: 64, message: 'waiting for replication timed out' }))
    await relay(0)
    expect((await outbox.overdue(-1_000)).map(({ _id }) => _id)).toEqual(['stalled'])
    // until then the majority reads the item as it was before the batch
    check.mockImplementationOnce(async () => {
      await catalog.get(ProductStore).collection.updateOne({ _id: 's1' }, { $inc: { rev: 1 } })
      return true
    })
    await relay(0)
    check.mockRestore()
    expect(await readIds(productUpserted)).toEqual(['s1'])
    expect(await outbox.overdue(-1_000)).toEqual([])
  })

  it('cannot delete the entry of a batch that still writes: the batch gives up first', async () => {
    const entry = catalog.get(EventOutbox).openEntry('product.upserted', 'slow')
    entry.assertInTime()
    await entry.record([{ erpId: 'slow', isCreated: true, changed: [], rev: 1 }])
    entry.assertInTime()
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 46_000)
    const docs = [{ _id: 'slow' } as ProductDocument]
    await expect(catalog.get(ProductStore).insert(docs, entry.assertInTime)).rejects.toMatchObject({
      code: 'OVERLOADED',
    })
    now.mockRestore()
    expect(await catalog.get(ProductStore).collection.countDocuments({ _id: 'slow' })).toBe(0)
    outbox.markPublished('slow')
    await outbox.flush()
  })

  it('keeps an entry of an unknown kind and publishes those behind it', async () => {
    await outbox.add('a newer version', 'brand.upserted', [['s1', 0, ['name'], 1]])
    await outbox.add('known', 'product.upserted', [['s1', 0, ['name'], await revOf('s1')]])
    await relay(0)
    expect((await outbox.overdue(-1_000)).map(({ _id }) => _id)).toEqual(['a newer version'])
    expect(await readItems(categoryUpserted)).toEqual([])
    expect(await readIds(productUpserted)).toEqual(['s1'])
    outbox.markPublished('a newer version')
    await outbox.flush()
  })

  it('publishes when the bus is back after an outage', async () => {
    await catalog.bus.kill()
    await waitFor(
      async () => catalog.get<BusConnection>(BUS).isUp(),
      (isUp) => !isUp,
    )
    await outbox.add('pending', 'product.upserted', [['s1', 0, ['name'], 1]])
    await catalog.get(ProductStore).collection.updateOne({ _id: 's1' }, { $set: { batches: ['pending'] } })
    await catalog.bus.restart()
    await waitFor(
      () => readItems(productUpserted).catch(() => []),
      (items) => items.length > 0,
      20_000,
    )
  })

  it('publishes when the bus is back without its streams', async () => {
    await catalog.bus.restart({ emptied: true })
    await outbox.add('pending again', 'product.upserted', [['s1', 0, ['name'], 1]])
    await catalog.get(ProductStore).collection.updateOne({ _id: 's1' }, { $set: { batches: ['pending again'] } })
    await waitFor(
      () => readItems(productUpserted).catch(() => []),
      (items) => items.length > 0,
      20_000,
    )
  })
})
