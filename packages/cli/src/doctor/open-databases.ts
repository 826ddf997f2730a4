import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DURABLE } from '@partsbus/platform/mongo/durable'
import { type Db, MongoClient } from 'mongodb'
import { UsageError } from '../exit-codes.js'
import { readSecret } from '../open-clients.js'
import { defaultDatabase, type ServiceName, serviceNames } from './services.js'

/** The databases of the services that can be named; a missing one is not checked. */
export interface Databases {
  of: ReadonlyMap<ServiceName, Db>
  close(): Promise<void>
}

const SELECTION_MS = 5_000

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
  const shared = url ?? readSecret(env, 'MONGODB_URL')
  const only = url === undefined ? env.MONGODB_DATABASE : undefined
  const of = new Map<ServiceName, Db>()
  for (const service of serviceNames) {
    const name = `MONGODB_URL_${service.toUpperCase().replaceAll('-', '_')}`
    // as version 0.1 named the database of administrators
    const earlier = service === 'administration' ? readSecret(env, 'MONGODB_URL_GATEWAY') : undefined
    const own = url === undefined ? (readSecret(env, name) ?? earlier) : undefined
    const database = defaultDatabase(service)
    const address = own ?? (only === undefined || only === database ? shared : undefined)
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

/**
 * Adds the servers, folders and the key of `npm start` where no database is named and its state folder is there:
 * `STATE_DIR`, by default `.state`.
 */
export function withLocalStack(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = env.STATE_DIR || '.state'
  if (env.MONGODB_URL || env.MONGODB_URL_FILE) return env
  try {
    const processes = JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as ListedServer[]
    const accounts = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Record<string, Account>
    const address = (scheme: 'mongodb' | 'nats', names: readonly string[]): Record<string, string> => {
      const port = processes.find(({ name }) => names.includes(name))?.port
      const account = accounts[scheme]
      if (port === undefined || !account) return {}
      return { [`${scheme.toUpperCase()}_URL`]: `${scheme}://${account.user}:${account.password}@127.0.0.1:${port}/` }
    }
    return {
      STATE_DIR: folder,
      FILES_PATH: join(folder, 'files'),
      UPLOADS_PATH: join(folder, 'uploads'),
      ...(!env.SECRETS_KEY && { SECRETS_KEY_FILE: join(folder, 'secrets-key') }),
      ...address('mongodb', ['ferretdb', 'mongod']),
      ...address('nats', ['nats']),
      ...env,
    }
  } catch {
    // nothing was started from this folder
    return env
  }
}

interface ListedServer {
  name: string
  port?: number
}

interface Account {
  user: string
  password: string
}
