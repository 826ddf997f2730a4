import { databaseName, type PlatformConfig } from './config.js'
import { type Mongo, openMongo } from '../mongo/connection.js'
import type { Migration } from '../mongo/migration.js'
import { retryUntilReached } from '../mongo/retry-until-reached.js'
import { runMigrations } from '../mongo/run-migrations.js'
import { type ProcessRuntime, startProcess } from './start-process.js'

/** The reason that `/readyz` gives meanwhile; `npm start` waits for such a process. */
const MIGRATING = 'migrating the database'

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
