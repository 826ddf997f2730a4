import { BusClient } from '../bus/client.js'
import { type BusConnection, openBus } from '../bus/connection.js'
import type { PlatformConfig } from './config.js'
import { isDatabaseDown } from '../mongo/to-app-error.js'
import { buildInfo } from './build-info.js'
import { createLog, type Log } from './log.js'
import { type ManagementServer, startManagement } from './management.js'
import { createMetrics, type Metrics } from './metrics.js'
import { type Mongo, openMongo } from '../mongo/connection.js'
import { setTimeout as sleep } from 'node:timers/promises'

/** What every process is made of. */
export interface Runtime {
  log: Log
  metrics: Metrics
  mongo: Mongo
  bus: BusConnection
  calls: BusClient
  managementPort: number
  /** readiness, beside what is measured (bus and database reached) */
  setReady(ready: boolean): void
  /** repeats a step of the start for as long as the database is away */
  retryUntilReached<T>(step: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Opens log, metrics, health, database and bus of a process named `name`.
 * @param options.needsBus false where the process is of use before the bus is there: see `bus.reached`
 */
export async function startRuntime(
  name: string,
  config: PlatformConfig,
  options = { needsBus: true },
): Promise<Runtime> {
  const log = createLog(name, config.LOG_LEVEL)
  log.info({ ...buildInfo }, 'starting')
  const metrics = createMetrics(name)
  let ready = false
  let bus: BusConnection | undefined
  let mongo: Mongo | undefined
  const management = await startManagement({
    port: config.MANAGEMENT_PORT,
    host: config.MANAGEMENT_HOST,
    registry: metrics.registry,
    checks: {
      live: () => (bus?.isClosed() ? 'the bus connection is closed' : undefined),
      ready: async () => {
        if (!ready) return 'starting or stopping'
        if (!bus?.isUp()) return 'the bus is away'
        return (await mongo?.ping()) ? undefined : 'the database is away'
      },
    },
  })
  mongo = openMongo({
    url: config.MONGODB_URL,
    database: config.MONGODB_DATABASE ?? `partsbus_${name.replaceAll('-', '_')}`,
    poolSize: config.MONGODB_POOL_SIZE,
    appName: `partsbus-${name}`,
    log,
  })
  bus = openBus({ url: config.NATS_URL, user: config.NATS_USER, password: config.NATS_PASSWORD, name, log })
  if (options.needsBus) await bus.reached
  return {
    log,
    metrics,
    mongo,
    bus,
    calls: new BusClient(bus, metrics),
    managementPort: management.port,
    setReady: (value) => {
      ready = value
    },
    retryUntilReached: (step) => retryUntilReached(step, log),
    close: () => closeAll(bus, mongo, management),
  }
}

async function retryUntilReached<T>(step: () => Promise<T>, log: Log): Promise<T> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
      log.warn('waiting for the database')
      await sleep(500)
    }
  }
}

async function closeAll(bus: BusConnection, mongo: Mongo, management: ManagementServer): Promise<void> {
  await bus.close()
  await mongo.close()
  await management.close()
}
