import type { DiagnosisReport, Finding } from '@partsbus/contracts/diagnosis'
import { BusClient } from '../bus/client.js'
import { openBus } from '../bus/connection.js'
import { type Mongo, openMongo } from '../mongo/connection.js'
import type { Migration } from '../mongo/migration.js'
import { retryUntilReached } from '../mongo/retry-until-reached.js'
import { type SchemaVersion, SchemaStore } from '../mongo/schema-store.js'
import { databaseName, type PlatformConfig, readConfig } from '../process/config.js'
import { createLog, type Log } from '../process/log.js'
import { createMetrics } from '../process/metrics.js'
import { type Diagnosis, listChecks, makeCheck } from './make-checks.js'

/** Two for a check that reads two collections at once. */
const CONNECTIONS = 2
/** How long the database and the bus are waited for. */
const REACH_MS = 5_000

/**
 * Examines a service that does not run: its configuration, its database, and what it refers to in services that run. It
 * starts nothing and changes nothing but what it repairs.
 */
export async function diagnoseService<Config extends PlatformConfig>(
  service: string,
  diagnosis: Diagnosis<Config>,
  migrations: readonly Migration[],
  isFixing: boolean,
): Promise<DiagnosisReport> {
  const log = createLog(service, 'silent')
  let config: Config
  try {
    config = readConfig(diagnosis.config)
  } catch (error) {
    return { service, schema_version: null, findings: [unreadableConfig(service, error as Error)] }
  }
  const mongo = openMongo({
    url: config.MONGODB_URL,
    database: databaseName(service, config),
    poolSize: CONNECTIONS,
    appName: `partsbus-${service}-diagnose`,
    log,
  })
  const bus = openBus({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    ca: config.NATS_CA,
    waitsForServer: false,
    name: config.NATS_USER ?? service,
    log,
  })
  try {
    const [stored] = await Promise.all([readSchema(mongo, log), bus.reached.catch(() => undefined)])
    if (stored instanceof Error)
      return { service, schema_version: null, findings: [unreachableDatabase(service, stored)] }
    const calls = new BusClient(bus, createMetrics(service))
    const findings: Finding[] = []
    for (const check of listChecks(service, diagnosis as Diagnosis, migrations, { db: mongo.db, config, calls }))
      findings.push(...(await makeCheck(check, isFixing)))
    return { service, schema_version: stored?.version ?? null, findings }
  } finally {
    await bus.close()
    await mongo.close()
  }
}

/** The version that the database has, or why it cannot be read. */
async function readSchema({ client, db }: Mongo, log: Log): Promise<SchemaVersion | undefined | Error> {
  const end = performance.now() + REACH_MS
  const read = async (): Promise<SchemaVersion | undefined> => {
    await client.connect()
    return new SchemaStore(db).find()
  }
  return retryUntilReached(read, log, () => performance.now() > end).catch((error: Error) => error)
}

function unreadableConfig(service: string, error: Error): Finding {
  return {
    code: 'check-failed',
    severity: 'error',
    message: `${service} could not be checked: ${error.message}`,
    advice: 'Set the variables of the service as it has them when it runs.',
  }
}

function unreachableDatabase(service: string, error: Error): Finding {
  return {
    code: 'database-unreachable',
    severity: 'error',
    message: `The database of ${service} cannot be read: ${error.message}.`,
    advice: 'Start the database, and check its address, user and password.',
  }
}
