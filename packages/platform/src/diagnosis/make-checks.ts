import { AppError } from '@partsbus/contracts/app-error'
import type { Finding } from '@partsbus/contracts/diagnosis'
import type { Db } from 'mongodb'
import type { z } from 'zod'
import type { BusClient } from '../bus/client.js'
import type { PlatformConfig } from '../process/config.js'
import type { Migration } from '../mongo/migration.js'
import { checkClock, checkIndexes, checkOutbox } from './check-database.js'
import { checkDisk } from './check-disk.js'
import { type CounterUse, checkCounters, checkDuplicateIds } from './check-ids.js'
import { checkSchema } from './check-schema.js'
import type { Check, RepairableFinding } from './finding.js'

/** What a service examines. The database may be examined while the service is down, and must not be changed. */
export interface Diagnosis<Config extends PlatformConfig = PlatformConfig> {
  /** of the variables of the service */
  config: z.ZodType<Config>
  /**
   * Names of indexes by collection: unique ones, without which data can be damaged, and those without which a common
   * request reads everything.
   */
  indexes: Readonly<Record<string, readonly string[]>>
  counters: readonly CounterUse[]
  /** its own checks, by what they look at */
  checks(examined: Examined<Config>): Readonly<Record<string, Check['run']>>
  /** the folders that it writes to */
  folders?(config: Config): ReadonlyArray<string | undefined>
}

export interface Examined<Config extends PlatformConfig = PlatformConfig> {
  db: Db
  config: Config
  /** to ask the services that its data refers to */
  calls: Pick<BusClient, 'request'>
}

/** All checks of a service, in the order in which they are made. */
export function listChecks(
  service: string,
  diagnosis: Diagnosis,
  migrations: readonly Migration[],
  examined: Examined,
): Check[] {
  const { indexes, counters } = diagnosis
  const { db, config } = examined
  const folders = new Set(diagnosis.folders?.(config).filter((folder) => folder !== undefined))
  const checks: Record<string, Check['run']> = {
    'The clock of the database': () => checkClock(db),
    [`The schema version of ${service}`]: () => checkSchema(service, db, migrations),
    [`Indexes of ${service}`]: () => checkIndexes(service, db, indexes),
    [`Counters of ${service}`]: () => checkCounters(service, db, counters),
    [`Ids of ${service}`]: () => checkDuplicateIds(service, db, counters),
    [`Events of ${service}`]: () => checkOutbox(service, db),
    ...diagnosis.checks(examined),
    ...Object.fromEntries([...folders].map((folder) => [folder, () => checkDisk(folder)])),
  }
  return Object.entries(checks).map(([name, run]) => ({ name, run }))
}

/** Makes a check, and the repairs if `isFixing`. A check that fails is a finding. */
export async function makeCheck({ name, run }: Check, isFixing: boolean): Promise<Finding[]> {
  try {
    const found: Finding[] = []
    for (const each of await run()) found.push(await toFinding(each, isFixing))
    return found
  } catch (error) {
    return [describeFailure(name, error as Error)]
  }
}

/** Only a call of another service fails so: it is not there to be asked. */
const AWAY: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT'])

function describeFailure(name: string, error: Error): Finding {
  if (error instanceof AppError && AWAY.has(error.code))
    return {
      code: 'service-away',
      severity: 'error',
      message: `${name} could not be compared with another service, which does not answer.`,
      advice: 'Start the bus and all services, and repeat it.',
    }
  return checkFailed(name, error)
}

export const checkFailed = (name: string, { message }: Error): Finding => ({
  code: 'check-failed',
  severity: 'error',
  message: `${name} could not be checked: ${message}`,
  advice: 'Check the address, the user and its permissions.',
})

async function toFinding({ fix, ...finding }: RepairableFinding, isFixing: boolean): Promise<Finding> {
  if (!fix || !isFixing) return finding
  const isFixed = await fix().then(
    () => true,
    () => false,
  )
  return { ...finding, isFixed }
}
