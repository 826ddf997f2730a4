import { setTimeout as delay } from 'node:timers/promises'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { type Db, MongoClient } from 'mongodb'
import type { Log } from '../process/log.js'
import { QueueDelayMonitor } from '../process/queue-delay.js'
import { DURABLE } from './durable.js'
import { MonitorWatchdog } from './monitor-watchdog.js'
import { Reachability } from './reachability.js'
import { noteServers } from './to-app-error.js'
import { withTimeLimit } from './with-time-limit.js'

/** How long an operation waits for a server: those that begin just before `unavailable()` reports an outage do. */
const SELECTION_TIMEOUT_MS = 800
/** The same for a replica set. A planned hand-over takes about a second, and the driver repeats what it interrupts. */
const SET_SELECTION_TIMEOUT_MS = 2_500
/** A request that waits longer for a connection of the pool is answered 503 instead of adding to the queue. */
const QUEUE_TIMEOUT_MS = 10_000
/** The client gives an operation up after this time. The server goes on, unless `maxTimeMS` ends it as well. */
export const SOCKET_TIMEOUT_MS = 60_000
/** A write with `maxTimeMS: SOCKET_TIMEOUT_MS` has ended on the server after this time; the driver repeats it once. */
export const LONGEST_WRITE_MS = 2 * (SET_SELECTION_TIMEOUT_MS + QUEUE_TIMEOUT_MS + SOCKET_TIMEOUT_MS)

const PING_TIMEOUT_MS = 1_000
/** The driver ends its sessions on the server first, and tries that for 8 s when the server is frozen. */
const CLOSE_TIMEOUT_MS = 2_000

/** A service's own database and its state. */
export interface Mongo {
  client: MongoClient
  db: Db
  /** the error to answer with while the database is down, so that no request waits for a timeout */
  unavailable(): AppError | undefined
  /** waits of this process for a connection of the pool, and of its event loop */
  queueDelays: QueueDelayMonitor
  ping(): Promise<boolean>
  /** Waits for 2 s at most: of a server that does not answer, the sessions end by themselves. */
  close(): Promise<void>
}

const logs = new WeakMap<MongoClient, Log>()

/** The log of the process, for work that takes a collection only. */
export function logOf(client: MongoClient): Log | undefined {
  return logs.get(client)
}

/** Those that this process has closed for good, unlike one that the watchdog makes connect again. */
const closed = new WeakSet<MongoClient>()

/** Whether what the client is asked for will never be answered. */
export function isClosed(client: MongoClient): boolean {
  return closed.has(client)
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
    serverSelectionTimeoutMS: isSet(options.url) ? SET_SELECTION_TIMEOUT_MS : SELECTION_TIMEOUT_MS,
    waitQueueTimeoutMS: QUEUE_TIMEOUT_MS,
    heartbeatFrequencyMS: 1_000,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    writeConcern: DURABLE,
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  })
  logs.set(client, options.log)
  const reachability = new Reachability()
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    noteServers(newDescription.servers.values())
    const found = reachability.update(newDescription.servers.values())
    if (found === undefined) return
    options.log[found ? 'info' : 'warn'](found ? 'database connected' : 'database disconnected')
  })
  const queueDelays = new QueueDelayMonitor()
  client.on('connectionCheckedOut', ({ durationMS }) => queueDelays.recordWait(durationMS))
  const watchdog = new MonitorWatchdog(client, () => !reachability.isUp(), options.log)
  return {
    client,
    db: client.db(options.database),
    queueDelays,
    unavailable: () => (reachability.isUp() ? undefined : new AppError('UNAVAILABLE', texts.unavailable)),
    ping: () =>
      withTimeLimit(PING_TIMEOUT_MS, ({ signal }) => client.db('admin').command({ ping: 1 }, { signal })).then(
        () => true,
        () => false,
      ),
    close: async () => {
      closed.add(client)
      queueDelays.stop()
      await watchdog.stop()
      await Promise.race([client.close(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Whether the address is that of a replica set or of a sharded cluster. */
function isSet(url: string): boolean {
  const { replicaSet, srvHost, hosts } = new MongoClient(url).options
  return replicaSet !== undefined || srvHost !== undefined || hosts.length > 1
}
