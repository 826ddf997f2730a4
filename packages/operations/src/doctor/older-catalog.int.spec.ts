import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { findExistingProducts } from '@partsbus/contracts/catalog/commands'
import type { ServiceName } from '@partsbus/contracts/diagnosis'
import type { Command } from '@partsbus/contracts/message'
import { getHighestProductId } from '@partsbus/contracts/stock/commands'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { createLog } from '@partsbus/platform/process/log'
import { type Db, MongoClient } from 'mongodb'
import { runDoctor } from './run-doctor.js'
import { diagnosisEnv } from './start-diagnose.js'

jest.setTimeout(120_000)

const LOST_ID = 9_000_001
const suffix = randomBytes(4).toString('hex')
const nameOf = (service: ServiceName) => `test_older_${service.replaceAll('-', '_')}_${suffix}`

let client: MongoClient
let nats: NatsServer
let bus: BusConnection
let catalog: Db
let stock: Db

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  nats = await startNats()
  bus = await connectBus({ url: nats.url, name: 'test', log: createLog('test', 'silent') })
  // a service that is down is examined alone, and asks the other one
  const serve = ({ subject }: Command, reply: object) =>
    bus.nc.subscribe(subject, { callback: (_error, message) => void message.respond(JSON.stringify(reply)) })
  serve(getHighestProductId, { product_id: LOST_ID })
  serve(findExistingProducts, { ids: [1] })
  await bus.nc.flush()
  ;[catalog, stock] = [client.db(nameOf('catalog')), client.db(nameOf('stock'))]
  await catalog.collection<{ _id: string; value: number }>('counters').insertOne({ _id: 'product', value: 1 })
  await catalog.collection<{ _id: string; id: number }>('products').insertOne({ _id: 'P-1', id: 1 })
  await stock.collection('supplies').insertMany([
    { id: 1, product_id: 1 },
    { id: 2, product_id: LOST_ID },
  ])
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
  for (const db of [catalog, stock]) await db.dropDatabase()
  await client.close()
})

async function examine(isFixing: boolean): Promise<string[]> {
  const variables = { ...process.env, SECRETS_KEY: 'a'.repeat(64) }
  const address = { mongodbUrl: testMongodbUrl(), bus: { url: nats.url } }
  const { findings } = await runDoctor(
    {
      env: {},
      admin: undefined,
      bus: { url: nats.url },
      diagnosisEnv: (service) => {
        if (service !== 'catalog' && service !== 'stock') return undefined
        const env = diagnosisEnv(variables, service, address)
        return env && { ...env, MONGODB_DATABASE: nameOf(service) }
      },
    },
    isFixing,
  )
  return findings.map(({ code, isFixed }) => (isFixed === undefined ? code : `${code} ${isFixed}`))
}

it('of an older catalog alone, the lost products are named while both services are down', async () => {
  expect(await examine(false)).toEqual(
    expect.arrayContaining(['supply-without-product', 'product-counter-behind-stock']),
  )
})

it('its counter is raised while it is down', async () => {
  expect(await examine(true)).toContain('product-counter-behind-stock true')
  expect(await catalog.collection('counters').findOne({ value: { $gt: 1 } })).toMatchObject({
    value: LOST_ID + SKIPPED_IDS,
  })
  expect(await examine(false)).not.toContain('product-counter-behind-stock')
})
