import { randomUUID } from 'node:crypto'
import type { Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningService } from '@partsbus/platform/process/service'
import { type Db, MongoClient } from 'mongodb'
import type { AdministrationConfig } from '../config.js'
import { startAdministration } from '../start.js'

/** The service on a bus and a database of its own. */
export interface AdministrationUnderTest {
  bus: NatsServer
  connection: BusConnection
  db: Db
  service: RunningService
  ask<C extends Command>(command: C, body: RequestOf<C>): Promise<ReplyOf<C>>
  /** one more process of the service on the same database */
  startReplica(changes?: Partial<AdministrationConfig>): Promise<RunningService>
  stop(): Promise<void>
}

export async function startAdministrationUnderTest(): Promise<AdministrationUnderTest> {
  const bus = await startNats()
  const database = `test_administration_${randomUUID().slice(0, 8)}`
  const client = await new MongoClient(testMongodbUrl()).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  const calls = new BusClient(connection, createMetrics('test'))
  const services: RunningService[] = []
  const startReplica = async (changes: Partial<AdministrationConfig> = {}): Promise<RunningService> => {
    const service = await startAdministration({
      MONGODB_URL: testMongodbUrl(),
      MONGODB_DATABASE: database,
      MONGODB_POOL_SIZE: 10,
      NATS_URL: bus.url,
      MANAGEMENT_PORT: 0,
      MANAGEMENT_HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      ...changes,
    })
    services.push(service)
    return service
  }
  return {
    bus,
    connection,
    db: client.db(database),
    service: await startReplica(),
    ask: (command, body) => calls.request(command, body, { timeoutMs: 60_000 }),
    startReplica,
    async stop() {
      for (const service of services) await service.stop()
      await connection.nc.close()
      await client.db(database).dropDatabase()
      await client.close()
      await bus.stop()
    },
  }
}
