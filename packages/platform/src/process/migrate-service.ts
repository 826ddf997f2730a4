import type { Migration } from '../mongo/migration.js'
import { openMongo } from '../mongo/connection.js'
import { runMigrations } from '../mongo/run-migrations.js'
import { buildInfo } from './build-info.js'
import { databaseName, migrationConfig, readConfig } from './config.js'
import { createLog } from './log.js'

/** Two for the migration and its lease. */
const CONNECTIONS = 2

/** The migration job: brings the database of a service to the version of this code. It needs no bus. */
export async function migrateService(name: string, migrations: readonly Migration[]): Promise<void> {
  const config = readConfig(migrationConfig)
  const log = createLog(name, config.LOG_LEVEL)
  // each line has the version already
  log.info({ commit: buildInfo.commit }, 'migrating the database')
  const mongo = openMongo({
    url: config.MONGODB_URL,
    database: databaseName(name, config),
    poolSize: CONNECTIONS,
    appName: `partsbus-${name}-migrate`,
    log,
  })
  try {
    const { version } = await runMigrations(mongo.db, migrations, { log })
    log.info({ schema_version: version }, 'database is up to date')
  } finally {
    await mongo.close()
  }
}
