import { AppError, texts } from '@partsbus/contracts/errors'
import { type Db, MongoClient, ServerType } from 'mongodb'
import type { Log } from '../process/log.js'
import { QueueDelayMonitor } from '../process/queue-delay.js'
import { DURABLE } from './durable.js'
import { MonitorWatchdog } from './monitor-watchdog.js'

/** A service's own database and its state. */
export interface Mongo {
  client: MongoClient
  db: Db
  /** the error to answer with while the database is down, so that no request waits for a timeout */
  unavailable(): AppError | undefined
  /** waits of this process for a connection of the pool, and of its event loop */
  queueDelays: QueueDelayMonitor
  ping(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens a lazy connection: nothing fails here while the database is down, and `unavailable()` reports it.
 * Writes are acknowledged by the majority and the journal. Reads return majority-committed data only: a batch that is
 * sent again is answered 200 because the data is there, so that data must survive the loss of the primary.
 * A standalone server and FerretDB accept the read concern and ignore it.
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
    // also the timeout of a heartbeat: a slow database is not down, and a dead one refuses connections at once
    connectTimeoutMS: 5_000,
    // for requests that arrive just before `unavailable()` reports the outage
    serverSelectionTimeoutMS: 800,
    // a request that waits longer for a connection of the pool is answered 503 instead of adding to the queue
    waitQueueTimeoutMS: 10_000,
    heartbeatFrequencyMS: 1_000,
    socketTimeoutMS: 60_000,
    writeConcern: DURABLE,
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  })
  let reachable = false
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const now = [...newDescription.servers.values()].some((server) => server.type !== ServerType.Unknown)
    if (now === reachable) return
    reachable = now
    options.log[now ? 'info' : 'warn'](now ? 'database connected' : 'database disconnected')
  })
  const queueDelays = new QueueDelayMonitor()
  client.on('connectionCheckedOut', ({ durationMS }) => queueDelays.recordWait(durationMS))
  const watchdog = new MonitorWatchdog(client, () => !reachable, options.log)
  return {
    client,
    db: client.db(options.database),
    queueDelays,
    unavailable: () => (reachable ? undefined : new AppError('UNAVAILABLE', texts.unavailable)),
    ping: () =>
      client
        .db('admin')
        .command({ ping: 1 }, { timeoutMS: 1_000 })
        .then(
          () => true,
          () => false,
        ),
    close: async () => {
      queueDelays.stop()
      await watchdog.stop()
      await client.close()
    },
  }
}
