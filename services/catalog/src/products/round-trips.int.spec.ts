import { readBatch } from '@partsbus/contracts/batch'
import { upsertProducts } from '@partsbus/contracts/catalog'
import { defaultCallSettings } from '@partsbus/contracts/settings'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { createMetrics } from '@partsbus/platform/process/metrics'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { catalogConfig } from '../config.js'
import { type CatalogContext, openContext } from '../context.js'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { upsertProductBatch } from './upsert-products.js'

let catalog: CatalogUnderTest
let watched: MongoClient
let ctx: CatalogContext
let commands: string[] = []
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
  watched = await new MongoClient(testMongodbUrl(), { monitorCommands: true }).connect()
  const { parts } = catalog.ctx
  const config = catalogConfig.parse({ MONGODB_URL: testMongodbUrl(), NATS_URL: catalog.bus.url })
  ctx = await openContext(
    {
      ...parts,
      metrics: createMetrics('watched'),
      mongo: { ...parts.mongo, client: watched, db: watched.db(catalog.db.databaseName) },
    },
    config,
  )
  watched.on('commandStarted', ({ commandName, command }) => {
    commands.push(`${commandName} ${String(command[commandName])}`)
  })
  await ctx.categories.knownAmong([])
  await upsert('seed')
})
afterAll(async () => {
  await ctx.background.stop()
  await ctx.outbox.flush()
  await watched.close()
  await catalog.stop()
})

/** What the database is asked until the batch is answered; deletions of notes come later, many at a time. */
async function upsert(name: string, keys = name, more: object = {}): Promise<string[]> {
  commands = []
  const items = Array.from({ length: 1_000 }, (_, at) => ({
    id_erp: `${keys}${at}`,
    name: `${name} ${at}`,
    attributes: [{ name: 'a', value: name }],
    ...more,
  }))
  const body = readBatch(upsertProducts, items, { errorPolicy: 'reject_batch', maxItems: 1_000 })
  await upsertProductBatch(ctx, { body, settings: defaultCallSettings, timeLeft: () => 30_000 })
  return commands.filter((command) => !command.startsWith('delete')).sort()
}

it('a batch of 1,000 new products: look-up and write in two lanes, ids and note beside each other', async () => {
  expect(await upsert('new')).toEqual([
    'find products',
    'find products',
    'findAndModify counters',
    'insert outbox',
    'insert products',
    'insert products',
  ])
})

it('a batch of 1,000 changed products needs no counter', async () => {
  expect(await upsert('changed', 'new')).toEqual([
    'find products',
    'find products',
    'insert outbox',
    'update products',
    'update products',
  ])
})

it('a batch of 1,000 unchanged products is only looked up', async () => {
  expect(await upsert('changed', 'new')).toEqual(['find products', 'find products'])
})

it('pictures that are to be cleared are looked up first, and found to be none', async () => {
  expect(await upsert('changed', 'new', { images: [] })).toEqual(['find media_sets', 'find products', 'find products'])
  expect(await upsert('bare', 'bare', { images: [] })).not.toContain('find media_sets')
})
