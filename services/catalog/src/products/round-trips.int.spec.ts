import { readBatch } from '@partsbus/contracts/batch'
import { upsertProducts } from '@partsbus/contracts/catalog/commands'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { createLog } from '@partsbus/platform/process/log'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { AwaitedCategoryStore } from '../categories/awaited-category-store.js'
import { CategoryStore } from '../categories/category-store.js'
import { EventOutbox } from '../events/event-outbox.js'
import { defaultTimes } from '../media/config.js'
import { ItemMediaStore } from '../media/item-media-store.js'
import { ErpBatches } from '../full-sync/erp-batches.js'
import { MediaEvents } from '../media/media-events.js'
import { MediaNudges, mediaQueue } from '../media/media-nudges.js'
import { MediaRequests } from '../media/media-requests.js'
import { MediaSetStore } from '../media/media-set-store.js'
import { MEDIA_FILES, MediaStore } from '../media/media-store.js'
import { SetSettler } from '../media/set-settler.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { AttributeStore } from './attribute-store.js'
import { ProductIds } from './product-ids.js'
import { ProductStore, ProductWriter } from './product-store.js'
import { UpsertProducts } from './upsert-products.js'

let catalog: CatalogUnderTest
let watched: MongoClient
let events: EventOutbox
let useCase: UpsertProducts
let commands: string[] = []
/** `maxTimeMS` of the writes of products */
let timeLimits: unknown[] = []
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  watched = await new MongoClient(testMongodbUrl(), { monitorCommands: true }).connect()
  const db = watched.db(catalog.db.databaseName)
  const log = createLog('test', 'silent')
  const counters = new CounterStore(db.collection('counters'))
  const ids = new ProductIds(counters, catalog.get(BusClient), log)
  const products = new ProductStore(db, ids)
  const sets = new MediaSetStore(db, counters)
  const items = new ItemMediaStore(db)
  events = new EventOutbox(new OutboxStore(db.collection('outbox')), catalog.connection, log)
  useCase = new UpsertProducts(
    products,
    new ProductWriter(products, events, ids),
    new AttributeStore(db),
    new CategoryStore(db, counters),
    new AwaitedCategoryStore(db),
    new MediaRequests(
      sets,
      counters,
      new MediaNudges(catalog.connection, mediaQueue, log),
      new SetSettler(
        sets,
        items,
        new MediaStore(db, counters, catalog.get(MEDIA_FILES)),
        new MediaEvents(sets, catalog.connection, log, defaultTimes),
        defaultTimes,
      ),
      items,
    ),
    catalog.get(ErpBatches),
  )
  watched.on('commandStarted', ({ commandName, command }) => {
    commands.push(`${commandName} ${String(command[commandName])}`)
    if (/^(insert|update) products$/.test(commands.at(-1) ?? '')) timeLimits.push(command.maxTimeMS)
  })
  await upsert('seed')
})
afterAll(async () => {
  await events.onApplicationShutdown()
  await watched.close()
  await catalog.stop()
})

/** The commands that the database receives until the batch is answered; outbox entries are deleted later. */
async function upsert(name: string, keys = name, more: object = {}): Promise<string[]> {
  commands = []
  timeLimits = []
  const items = Array.from({ length: 1_000 }, (_, at) => ({
    id_erp: `${keys}${at}`,
    name: `${name} ${at}`,
    attributes: [{ name: 'a', value: name }],
    ...more,
  }))
  const body = readBatch(upsertProducts, items, { errorPolicy: 'reject_batch', maxItems: 1_000 })
  await useCase.upsertProducts({ body, settings: defaultCallSettings, timeLeft: () => 30_000 })
  return commands.filter((command) => !command.startsWith('delete')).sort()
}

it('reads 1,000 new products, then records the outbox entry beside the ids, then writes', async () => {
  expect(await upsert('new')).toEqual([
    'find products',
    'find products',
    'findAndModify counters',
    'insert outbox',
    'insert products',
    'insert products',
  ])
})

it('writes 1,000 changed products without ids and slugs', async () => {
  expect(await upsert('changed', 'new')).toEqual([
    'find products',
    'find products',
    'insert outbox',
    'update products',
    'update products',
  ])
})

it('limits the time of writes on the server, which would go on without the client', async () => {
  for (const name of ['limited', 'limited again']) {
    await upsert(name, 'limited')
    expect(timeLimits).toEqual([60_000, 60_000])
  }
})

it('only reads 1,000 unchanged products', async () => {
  expect(await upsert('changed', 'new')).toEqual(['find products', 'find products'])
})

it('looks 1,000 slugs up after a collision, and their suffixes in one more query', async () => {
  for (const keys of ['a', 'b']) await upsert('collide', keys)
  const commands = await upsert('collide', 'c')
  expect(commands.filter((command) => command === 'find products')).toHaveLength(4)
  expect(commands.filter((command) => command === 'insert products')).toHaveLength(2)
})

it('notes that recently written products have no images, and looks for those of others, but of new ones', async () => {
  const noted = await upsert('changed', 'new', { images: [] })
  expect(noted).toEqual(['find products', 'find products', 'update media_sets'])
  await catalog.db.collection('products').updateMany({}, { $set: { updated_at: new Date(0) } })
  expect(await upsert('changed', 'new', { images: [] })).toEqual(['find media_sets', 'find products', 'find products'])
  const changed = await upsert('changed again', 'new', { images: [] })
  expect(changed.filter((command) => command.endsWith('media_sets'))).toEqual(['find media_sets'])
  const created = await upsert('bare', 'bare', { images: [] })
  expect(created.filter((command) => command.endsWith('media_sets'))).toEqual([])
})
