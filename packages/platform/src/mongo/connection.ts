import { AppError, texts } from '@partsbus/contracts/errors'
import { type Db, MongoClient, ServerType } from 'mongodb'
import type { Log } from '../process/log.js'

/** A service's own database, and whether it can be reached. */
export interface Mongo {
  client: MongoClient
  db: Db
  /** the error to answer with while the database is away, so that nobody waits for a timeout */
  away(): AppError | undefined
  ping(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens a lazy connection: nothing fails here when the database is away, `away()` says so until it is back.
 * Writes are acknowledged by the majority and the journal.
 */
export function openMongo(options: {
  url: string
  database: string
  poolSize: number
  appName: string
  log: Log
}): Mongo {
  const client = new MongoClient(options.url, {
    appName: options.appName,
    maxPoolSize: options.poolSize,
    // also the limit of a heartbeat: a database that is only slow is not away; one that is dead refuses at once
    connectTimeoutMS: 5_000,
    // what passed the gate the moment before `away()` knew must not wait long either; one look is taken every 500 ms
    serverSelectionTimeoutMS: 800,
    heartbeatFrequencyMS: 1_000,
    socketTimeoutMS: 60_000,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  })
  let reachable = false
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const now = [...newDescription.servers.values()].some((server) => server.type !== ServerType.Unknown)
    if (now === reachable) return
    reachable = now
    options.log[now ? 'info' : 'warn'](now ? 'database reached' : 'database away')
  })
  return {
    client,
    db: client.db(options.database),
    away: () => (reachable ? undefined : new AppError('UNAVAILABLE', texts.unavailable)),
    ping: () =>
      client
        .db('admin')
        .command({ ping: 1 }, { timeoutMS: 1_000 })
        .then(
          () => true,
          () => false,
        ),
    close: () => client.close(),
  }
}
