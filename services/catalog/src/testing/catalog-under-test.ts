import { randomUUID } from 'node:crypto'
import type { BatchOptions } from '@partsbus/contracts/batch-options'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { getHighestProductId } from '@partsbus/contracts/stock/commands'
import type { BatchCommand, Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { UpsertResult } from '@partsbus/contracts/result'
import { type CallSettings, defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningService } from '@partsbus/platform/process/service'
import type { Subscription } from '@nats-io/transport-node'
import type { Type } from '@nestjs/common'
import { type Db, MongoClient } from 'mongodb'
import { catalogConfig } from '../config.js'
import { startCatalog } from '../start.js'

/** A stock that knows only its highest product id. */
export interface FakeStock {
  highestProductId: number
  start(): void
  stop(): void
}

/** The service with its own bus and database, and a fake stock. */
export interface CatalogUnderTest {
  stock: FakeStock
  bus: NatsServer
  connection: BusConnection
  db: Db
  service: RunningService
  /** a provider of the service */
  get<T>(token: Type<T> | symbol): T
  ask<C extends Command>(command: C, body: RequestOf<C>): Promise<ReplyOf<C>>
  /** sends any JSON */
  send<C extends BatchCommand | Command>(
    command: C,
    body: unknown,
    settings?: Partial<CallSettings>,
    batch?: BatchOptions,
  ): Promise<ReplyOf<C>>
  /** sends any bytes */
  forward(command: BatchCommand | Command, body: Uint8Array, settings?: Partial<CallSettings>): Promise<Uint8Array>
  products(items: unknown[], settings?: Partial<CallSettings>): Promise<UpsertResult>
  categories(items: unknown[], settings?: Partial<CallSettings>): Promise<UpsertResult>
  /** another process of the service on the same database and bus */
  startReplica(): Promise<RunningService>
  /** stops all its processes; bus, database and stock stay */
  stopServices(): Promise<void>
  stop(): Promise<void>
}

export async function startCatalogUnderTest(
  mongodbUrl = testMongodbUrl(),
  database = `test_catalog_${randomUUID().slice(0, 8)}`,
): Promise<CatalogUnderTest> {
  const bus = await startNats()
  const client = await new MongoClient(mongodbUrl).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  const calls = new BusClient(connection, createMetrics('test'))
  const start = (): Promise<RunningService> =>
    startCatalog(
      catalogConfig.parse({
        MONGODB_URL: mongodbUrl,
        MONGODB_DATABASE: database,
        NATS_URL: bus.url,
        MANAGEMENT_PORT: 0,
        LOG_LEVEL: 'silent',
      }),
    )
  const stock = fakeStock(connection)
  stock.start()
  const service = await start()
  const services = [service]
  const stopServices = async (): Promise<void> => {
    for (const each of services.splice(0)) await each.stop()
  }
  const send: CatalogUnderTest['send'] = async (command, body, settings = {}, batch = undefined) => {
    const reply = await calls.forward(command, Buffer.from(JSON.stringify(body)), {
      settings: { ...defaultCallSettings, ...settings },
      batch,
      timeoutMs: 60_000,
    })
    return JSON.parse(Buffer.from(reply).toString('utf8')) as ReplyOf<typeof command>
  }
  return {
    stock,
    bus,
    connection,
    db: client.db(database),
    service,
    get: (token) => service.app.get(token),
    ask: (command, body) => calls.request(command, body, { timeoutMs: 60_000 }),
    send,
    forward: (command, body, settings = {}) =>
      calls.forward(command, body, { settings: { ...defaultCallSettings, ...settings }, timeoutMs: 60_000 }),
    products: (items, settings) => send(upsertProducts, items, settings),
    categories: (items, settings) => send(upsertCategories, items, settings),
    async startReplica() {
      const replica = await start()
      services.push(replica)
      return replica
    },
    stopServices,
    async stop() {
      await stopServices()
      await connection.nc.close()
      await client.db(database).dropDatabase()
      await client.close()
      await bus.stop()
    },
  }
}

function fakeStock({ nc }: BusConnection): FakeStock {
  let subscription: Subscription | undefined
  return {
    highestProductId: 0,
    start() {
      subscription = nc.subscribe(getHighestProductId.subject, {
        callback: (_error, message) => void message.respond(JSON.stringify({ product_id: this.highestProductId })),
      })
    },
    stop: () => subscription?.unsubscribe(),
  }
}
