import { BusClient } from '../bus/client.js'
import { type BusConnection, openBus } from '../bus/connection.js'
import { databaseName, type PlatformConfig, type ProcessConfig } from './config.js'
import type { Migration } from '../mongo/migration.js'
import { runMigrations } from '../mongo/run-migrations.js'
import { retryUntilReached } from '../mongo/retry-until-reached.js'
import { buildInfo } from './build-info.js'
import { createLog, type Log } from './log.js'
import { startManagement } from './management.js'
import { createMetrics, type Metrics } from './metrics.js'
import { Readiness, type ReadinessChecks } from './readiness.js'
import { type Mongo, openMongo } from '../mongo/connection.js'

/** The reason that `/readyz` gives meanwhile; `npm start` waits for such a process. */
const MIGRATING = 'migrating the database'

/** The objects that every process has. */
export interface ProcessRuntime {
  log: Log
  metrics: Metrics
  bus: BusConnection
  calls: BusClient
  managementPort: number
  /**
   * the unmeasured part of readiness: started completely and not stopping
   * @param phase why the process is not
   */
  setReady(ready: boolean, phase?: string): void
  close(): Promise<void>
}

/** The objects that every process with a database has. */
export interface Runtime extends ProcessRuntime {
  mongo: Mongo
  /** brings the database to the version of this code; before anything else writes to it */
  migrate(migrations: readonly Migration[]): Promise<void>
  /** repeats a step of the start while the database is down */
  retryUntilReached<T>(step: () => Promise<T>): Promise<T>
}

/** Opens log, metrics, health, bus and database of a process named `name`. Waits for the bus. */
export async function startRuntime(name: string, config: PlatformConfig): Promise<Runtime> {
  let mongo: Mongo | undefined
  const runtime = await startProcess(name, config, {
    name: 'database',
    isUp: async () => (await mongo?.ping()) === true,
  })
  const { log } = runtime
  mongo = openMongo({
    url: config.MONGODB_URL,
    database: databaseName(name, config),
    poolSize: config.MONGODB_POOL_SIZE,
    appName: `partsbus-${name}`,
    log,
  })
  await runtime.bus.reached
  return {
    ...runtime,
    mongo,
    migrate: async (migrations) => {
      const onPending = (): void => runtime.setReady(false, MIGRATING)
      await runMigrations(mongo.db, migrations, { log, onPending })
    },
    retryUntilReached: (step) => retryUntilReached(step, log),
    close: () => runtime.close([() => mongo.close()]),
  }
}

/**
 * Opens log, metrics, health and bus of a process named `name`. It does not wait for the bus: see `bus.reached`.
 * @param dependency what the process needs besides the bus
 */
export async function startProcess(
  name: string,
  config: ProcessConfig,
  dependency: ReadinessChecks['dependency'],
): Promise<Omit<ProcessRuntime, 'close'> & { close(afterBus?: Array<() => Promise<void>>): Promise<void> }> {
  const log = createLog(name, config.LOG_LEVEL)
  log.info({ commit: buildInfo.commit }, 'starting')
  const metrics = createMetrics(name)
  let bus: BusConnection | undefined
  const readiness = new Readiness({ isBusUp: () => bus?.isUp() === true, dependency })
  const management = await startManagement({
    port: config.MANAGEMENT_PORT,
    host: config.MANAGEMENT_HOST,
    registry: metrics.registry,
    checks: {
      live: () => (bus?.isClosed() ? 'the bus connection is closed' : undefined),
      ready: () => readiness.unreadyReason(),
    },
  })
  bus = openBus({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    ca: config.NATS_CA,
    name,
    log,
  })
  return {
    log,
    metrics,
    bus,
    calls: new BusClient(bus, metrics),
    managementPort: management.port,
    setReady: (value, phase) => readiness.set(value, phase),
    async close(afterBus = []) {
      await bus.close()
      for (const step of afterBus) await step()
      await management.close()
    },
  }
}
