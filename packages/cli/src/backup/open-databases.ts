import { type ServiceName, serviceNames } from '@partsbus/contracts/diagnosis'
import { DURABLE } from '@partsbus/platform/mongo/durable'
import { type Db, MongoClient } from 'mongodb'
import { UsageError } from '../exit-codes.js'
import { databaseAddress } from '../database-address.js'

/** The databases of the services that can be named. */
export interface Databases {
  of: ReadonlyMap<ServiceName, Db>
  close(): Promise<void>
}

const SELECTION_MS = 5_000

/** That of the administration service has the name that it had when the gateway owned it. */
const defaultDatabase = (service: ServiceName): string =>
  service === 'administration' ? 'partsbus_gateway' : `partsbus_${service.replaceAll('-', '_')}`

/**
 * `MONGODB_URL` with the databases of all services, or with that of one where `MONGODB_DATABASE` names it, as in the
 * container of a service. `MONGODB_URL_CATALOG` and so on name the server of one service.
 * @param url in place of the variables
 */
export function openDatabases(env: NodeJS.ProcessEnv, url?: string): Databases {
  const clients = new Map<string, MongoClient>()
  const open = (address: string): MongoClient => {
    const known = clients.get(address)
    if (known) return known
    const client = new MongoClient(address, {
      appName: 'partsbus-cli',
      serverSelectionTimeoutMS: SELECTION_MS,
      // what is checked must survive the loss of the primary
      readConcern: { level: 'majority' },
      writeConcern: DURABLE,
    })
    clients.set(address, client)
    return client
  }
  const only = url === undefined ? env.MONGODB_DATABASE : undefined
  const of = new Map<ServiceName, Db>()
  for (const service of serviceNames) {
    const database = defaultDatabase(service)
    const address = databaseAddress(env, service, url, only === undefined || only === database)
    if (address !== undefined) of.set(service, open(address).db(database))
  }
  if (of.size === 0) throw new UsageError('No database is named. Set MONGODB_URL, or give --mongodb-url.')
  return {
    of,
    close: async () => {
      for (const client of clients.values()) await client.close()
    },
  }
}
