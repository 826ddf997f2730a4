import { randomBytes, randomUUID } from 'node:crypto'
import { resolveProducts } from '@partsbus/contracts/catalog/commands'
import { listSupplies } from '@partsbus/contracts/stock/commands'
import type { Supply } from '@partsbus/contracts/stock/stock-item'
import type { BatchOptions } from '@partsbus/contracts/batch-options'
import type { BatchCommand, Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
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
import type { StockConfig } from '../config.js'
import { startStock } from '../start.js'

/** Settings as the gateway sends them once storage 5 and point 7 are configured. */
export const configured: CallSettings = { ...defaultCallSettings, erp_storage_id: 5, erp_pick_up_point_id: 7 }

/** The service on a bus and a database of its own, and a catalog that answers from a table. */
export interface StockUnderTest {
  bus: NatsServer
  connection: BusConnection
  db: Db
  client: MongoClient
  service: RunningService
  /** a provider of the service */
  get<T>(token: Type<T> | symbol): T
  /** ids by ERP id of the fake catalog */
  products: Map<string, number>
  /** no supplies, and the products `p-1` … `p-<count>` in the fake catalog */
  reset(count: number): Promise<void>
  /** the supplies of a product */
  supplies(erpId: string): Promise<Supply[]>
  ask<C extends Command>(command: C, body: RequestOf<C>, settings?: Partial<CallSettings>): Promise<ReplyOf<C>>
  /** sends any JSON to a batch command */
  send<C extends BatchCommand>(
    command: C,
    body: unknown,
    settings?: CallSettings,
    batch?: BatchOptions,
  ): Promise<ReplyOf<C>>
  /** one more process of the service on the same database */
  startReplica(changes?: Partial<StockConfig>): Promise<RunningService>
  startCatalog(): void
  stopCatalog(): void
  /** stops all its processes; bus, database and catalog stay */
  stopServices(): Promise<void>
  stop(): Promise<void>
}

export async function startStockUnderTest(): Promise<StockUnderTest> {
  const bus = await startNats()
  const database = `test_stock_${randomUUID().slice(0, 8)}`
  const client = await new MongoClient(testMongodbUrl(), { monitorCommands: true }).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  const calls = new BusClient(connection, createMetrics('test'))
  const products = new Map<string, number>()
  const keys = [randomBytes(32)]
  const start = (changes: Partial<StockConfig> = {}) =>
    startStock({
      MONGODB_URL: testMongodbUrl(),
      MONGODB_DATABASE: database,
      MONGODB_POOL_SIZE: 10,
      NATS_URL: bus.url,
      MANAGEMENT_PORT: 0,
      MANAGEMENT_HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      SECRETS_KEY: keys,
      ...changes,
    })
  const ask: StockUnderTest['ask'] = (command, body, settings) =>
    calls.request(command, body, {
      timeoutMs: 60_000,
      ...(settings && { settings: { ...defaultCallSettings, ...settings } }),
    })
  let catalog: Subscription | undefined
  const startCatalog = (): void => {
    catalog = connection.nc.subscribe(resolveProducts.subject, {
      callback: (_error, message) => {
        const { erp_ids } = message.json<RequestOf<typeof resolveProducts>>()
        const found = erp_ids.flatMap((erp_id) => (products.has(erp_id) ? [{ erp_id, id: products.get(erp_id) }] : []))
        message.respond(JSON.stringify({ products: found }))
      },
    })
  }
  startCatalog()
  const service = await start()
  const services = [service]
  const stopServices = async (): Promise<void> => {
    for (const service of services.splice(0)) await service.stop()
  }
  return {
    bus,
    connection,
    client,
    db: client.db(database),
    service,
    get: (token) => service.app.get(token),
    products,
    async reset(count) {
      await client.db(database).collection('supplies').deleteMany({})
      products.clear()
      for (let id = 1; id <= count; id += 1) products.set(`p-${id}`, id)
    },
    supplies: async (product_erp_id) => (await ask(listSupplies, { page: 1, per_page: 50, product_erp_id })).data,
    ask,
    async send(command, body, settings = configured, batch = undefined) {
      const reply = await calls.forward(command, Buffer.from(JSON.stringify(body)), {
        settings,
        batch,
        timeoutMs: 60_000,
      })
      return JSON.parse(Buffer.from(reply).toString('utf8')) as ReplyOf<typeof command>
    },
    async startReplica(changes) {
      const replica = await start(changes)
      services.push(replica)
      return replica
    },
    startCatalog,
    stopCatalog: () => catalog?.unsubscribe(),
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
