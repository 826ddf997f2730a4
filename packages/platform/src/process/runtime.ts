import { BusClient } from '../bus/client.js'
import { type BusConnection, openBus } from '../bus/connection.js'
import { databaseName, type PlatformConfig } from './config.js'
import type { Migration } from '../mongo/migration.js'
import { runMigrations } from '../mongo/run-migrations.js'
import { retryUntilReached } from '../mongo/retry-until-reached.js'
import { buildInfo } from './build-info.js'
import { createLog, type Log } from './log.js'
import { type ManagementServer, startManagement } from './management.js'
import { createMetrics, type Metrics } from './metrics.js'
import { Readiness } from './readiness.js'
import { type Mongo, openMongo } from '../mongo/connection.js'

/** The reason that `/readyz` gives meanwhile; `npm start` waits for such a process. */
const MIGRATING = 'migrating the database'

/** The objects that every process has. */
export interface Runtime {
  log: Log
  metrics: Metrics
  mongo: Mongo
  bus: BusConnection
  calls: BusClient
  managementPort: number
  /** the unmeasured part of readiness: started completely and not stopping */
  setReady(ready: boolean): void
  /** brings the database to the version of this code; before anything else writes to it */
  migrate(migrations: readonly Migration[], signal?: AbortSignal): Promise<void>
  /** repeats a step of the start while the database is down */
  retryUntilReached<T>(step: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Opens log, metrics, health, database and bus of a process named `name`.
 * @param options.needsBus false for a process that starts without the bus: see `bus.reached`
 * @param options.databaseGraceMs how long the process stays ready while its database is down
 */
export async function startRuntime(
  name: string,
  config: PlatformConfig,
  options: { needsBus: boolean; databaseGraceMs?: number } = { needsBus: true },
): Promise<Runtime> {
  const log = createLog(name, config.LOG_LEVEL)
  log.info({ commit: buildInfo.commit }, 'starting')
  const metrics = createMetrics(name)
  let bus: BusConnection | undefined
  let mongo: Mongo | undefined
  const readiness = new Readiness({
    isBusUp: () => bus?.isUp() === true,
    isDatabaseUp: async () => (await mongo?.ping()) === true,
    databaseGraceMs: options.databaseGraceMs ?? 0,
  })
  const management = await startManagement({
    port: config.MANAGEMENT_PORT,
    host: config.MANAGEMENT_HOST,
    registry: metrics.registry,
    checks: {
      live: () => (bus?.isClosed() ? 'the bus connection is closed' : undefined),
      ready: () => readiness.unreadyReason(),
    },
  })
  mongo = openMongo({
    url: config.MONGODB_URL,
    database: databaseName(name, config),
    poolSize: config.MONGODB_POOL_SIZE,
    appName: `partsbus-${name}`,
    log,
  })
  bus = openBus({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    ca: config.NATS_CA,
    name,
    log,
  })
  if (options.needsBus) await bus.reached
  return {
    log,
    metrics,
    mongo,
    bus,
    calls: new BusClient(bus, metrics),
    managementPort: management.port,
    setReady: (value) => readiness.set(value),
    migrate: async (migrations, signal) => {
      const onPending = (): void => readiness.set(false, MIGRATING)
      await runMigrations(mongo.db, migrations, { log, onPending, ...(signal && { signal }) })
    },
    retryUntilReached: (step) => retryUntilReached(step, log),
    close: () => closeAll(bus, mongo, management),
  }
}

async function closeAll(bus: BusConnection, mongo: Mongo, management: ManagementServer): Promise<void> {
  await bus.close()
  await mongo.close()
  await management.close()
}
