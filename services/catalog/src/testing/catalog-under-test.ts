import { randomUUID } from 'node:crypto'
import type { BatchOptions } from '@partsbus/contracts/batch-options'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import type { BatchCommand, Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { UpsertResult } from '@partsbus/contracts/result'
import { type CallSettings, defaultCallSettings } from '@partsbus/contracts/gateway/settings'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningService } from '@partsbus/platform/process/service'
import type { Type } from '@nestjs/common'
import { type Db, MongoClient } from 'mongodb'
import { catalogConfig } from '../config.js'
import { startCatalog } from '../start.js'

/** The service with its own bus and database. */
export interface CatalogUnderTest {
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
  forward(command: Command, body: Uint8Array): Promise<Uint8Array>
  products(items: unknown[], settings?: Partial<CallSettings>): Promise<UpsertResult>
  categories(items: unknown[], settings?: Partial<CallSettings>): Promise<UpsertResult>
  /** another process of the service on the same database and bus */
  startReplica(): Promise<RunningService>
  stop(): Promise<void>
}

export async function startCatalogUnderTest(): Promise<CatalogUnderTest> {
  const bus = await startNats()
  const database = `test_catalog_${randomUUID().slice(0, 8)}`
  const client = await new MongoClient(testMongodbUrl()).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  const calls = new BusClient(connection, createMetrics('test'))
  const start = (): Promise<RunningService> =>
    startCatalog(
      catalogConfig.parse({
        MONGODB_URL: testMongodbUrl(),
        MONGODB_DATABASE: database,
        NATS_URL: bus.url,
        MANAGEMENT_PORT: 0,
        LOG_LEVEL: 'silent',
      }),
    )
  const service = await start()
  const services = [service]
  const send: CatalogUnderTest['send'] = async (command, body, settings = {}, batch = undefined) => {
    const reply = await calls.forward(command, Buffer.from(JSON.stringify(body)), {
      settings: { ...defaultCallSettings, ...settings },
      batch,
      timeoutMs: 60_000,
    })
    return JSON.parse(Buffer.from(reply).toString('utf8')) as ReplyOf<typeof command>
  }
  return {
    bus,
    connection,
    db: client.db(database),
    service,
    get: (token) => service.app.get(token),
    ask: (command, body) => calls.request(command, body, { timeoutMs: 60_000 }),
    send,
    forward: (command, body) => calls.forward(command, body, { settings: defaultCallSettings, timeoutMs: 60_000 }),
    products: (items, settings) => send(upsertProducts, items, settings),
    categories: (items, settings) => send(upsertCategories, items, settings),
    async startReplica() {
      const replica = await start()
      services.push(replica)
      return replica
    },
    async stop() {
      for (const each of services) await each.stop()
      await connection.nc.close()
      await client.db(database).dropDatabase()
      await client.close()
      await bus.stop()
    },
  }
}
