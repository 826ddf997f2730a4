import { type ServiceName, serviceNames } from '@partsbus/contracts/diagnosis'
import type { StoredDatabase } from '@partsbus/platform/backup/backup-plan'
import { openServer } from '@partsbus/platform/backup/open-server'
import { UsageError } from '@partsbus/cli/exit-codes'
import { databaseAddress } from '../database-address.js'
import { readPlans } from './backup-plans.js'

/** The databases of the services that can be named. */
export type Databases = ReadonlyMap<ServiceName, StoredDatabase<ServiceName>>

/** That of the administration service has the name that it had when the gateway owned it. */
const defaultDatabase = (service: ServiceName): string =>
  service === 'administration' ? 'partsbus_gateway' : `partsbus_${service.replaceAll('-', '_')}`

/**
 * Opens the databases for some work: `MONGODB_URL` with those of all services, or with that of one where
 * `MONGODB_DATABASE` names it, as in the container of a service. `MONGODB_URL_CATALOG` and so on name the server of one
 * service.
 * @param url in place of the variables
 */
export async function withDatabases<T>(
  env: NodeJS.ProcessEnv,
  url: string | undefined,
  work: (databases: Databases) => Promise<T>,
): Promise<T> {
  const only = url === undefined ? env.MONGODB_DATABASE : undefined
  const named = serviceNames.flatMap((service) => {
    const database = defaultDatabase(service)
    const address = databaseAddress(env, service, url, only === undefined || only === database)
    return address === undefined ? [] : [{ service, database, address }]
  })
  if (named.length === 0) throw new UsageError('No database is named. Set MONGODB_URL, or give --mongodb-url.')
  const plans = readPlans()
  const servers = new Map(
    [...new Set(named.map(({ address }) => address))].map((address) => [address, openServer(address, 'partsbus-cli')]),
  )
  const databases = named.flatMap(({ service, database, address }) => {
    const db = servers.get(address)?.db(database)
    return db ? [[service, { service, db, plan: plans[service] }] as const] : []
  })
  try {
    return await work(new Map(databases))
  } finally {
    for (const server of servers.values()) await server.close()
  }
}
