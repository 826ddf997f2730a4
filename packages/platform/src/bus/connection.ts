import { AppError, texts } from '@partsbus/contracts/app-error'
import { AuthorizationError, connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import type { Log } from '../process/log.js'
import { parseServerAddress } from './server-address.js'

/** A connection to the bus and its state. */
export interface BusConnection {
  /** @throws AppError UNAVAILABLE until the first connection */
  readonly nc: NatsConnection
  /** resolves at the first connection, never if closed before; rejects when the server refuses the credentials */
  readonly reached: Promise<void>
  /** prefix of the inboxes of this connection */
  readonly inboxPrefix: string
  isUp(): boolean
  isClosed(): boolean
  /** called once per loss of the connection; outstanding replies will not arrive */
  onLoss(listener: () => void): void
  /** called when the server refused a publish, with its subject */
  onRefused(listener: (subject: string) => void): void
  /** Sends pending messages if the server is connected, and closes. */
  close(): Promise<void>
}

export interface BusOptions {
  /** may contain a user and a password */
  url: string
  /** has priority over the one in the URL */
  user?: string | undefined
  password?: string | undefined
  /** certificate authorities of the servers in PEM, for `tls://` URLs */
  ca?: string | undefined
  /** false: `reached` rejects when the first connection fails, instead of waiting for the server */
  waitsForServer?: boolean
  /** service name: the name of the connection and, for the server's permissions, the prefix of its inboxes */
  name: string
  log: Log
}

/** Connects and keeps reconnecting. Waits for a server that is not running yet. */
export async function connectBus(options: BusOptions): Promise<BusConnection> {
  const bus = openBus(options)
  await bus.reached
  return bus
}

/** Like {@link connectBus}, but returns before the server is reachable. */
export function openBus({ log, ...options }: BusOptions): BusConnection {
  let nc: NatsConnection | undefined
  let up = false
  let isClosing = false
  const listeners: Array<() => void> = []
  const handleLoss = (): void => {
    up = false
    for (const listener of listeners) listener()
  }
  const refusalListeners: Array<(subject: string) => void> = []
  const handleRefusal = (subject: string): void => {
    for (const listener of refusalListeners) listener(subject)
  }
  const inboxPrefix = `_INBOX_${options.name.replaceAll('-', '_')}`
  const reached = openConnection({ ...options, inboxPrefix }).then(async (connected) => {
    nc = connected
    up = true
    const watching = watch(connected, log, {
      lost: handleLoss,
      reconnected: () => {
        up = true
      },
      refused: handleRefusal,
    })
    watching.catch((error: unknown) => log.error({ err: error }, 'bus status stream failed'))
    if (!isClosing) return
    await connected.close()
    // who waits for the connection would use it
    return new Promise<never>(() => undefined)
  })
  // an unhandled rejection would end the process; callers that await `reached` get the error
  reached.catch(() => undefined)
  return {
    get nc() {
      if (!nc) throw busUnavailable()
      return nc
    },
    reached,
    inboxPrefix,
    isUp: () => up && nc?.isClosed() === false,
    isClosed: () => nc?.isClosed() === true,
    onLoss: (listener) => listeners.push(listener),
    onRefused: (listener) => refusalListeners.push(listener),
    async close() {
      isClosing = true
      // without a server, drain never resolves; if the connection is lost while draining, drain rejects, and the client
      // would connect again and again
      if (up) await nc?.drain().catch(() => nc?.close())
      else await nc?.close()
    },
  }
}

function openConnection({
  url,
  user,
  password,
  ca,
  waitsForServer = true,
  name,
  inboxPrefix,
}: Omit<BusOptions, 'log'> & { inboxPrefix: string }): Promise<NatsConnection> {
  const { servers, ...login } = parseServerAddress(url)
  // never in clear text because one of the servers has no TLS
  const isEncrypted = servers.some((server) => server.startsWith('tls://'))
  return connect({
    servers,
    ...(isEncrypted && { tls: ca === undefined ? {} : { ca } }),
    ...(user === undefined ? login : { user, pass: password ?? '' }),
    name,
    inboxPrefix,
    noAsyncTraces: true,
    waitOnFirstConnect: waitsForServer,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  }).catch((error: unknown) => {
    throw error instanceof AuthorizationError ? refusedUser(user ?? login.user, servers, error) : error
  })
}

/** An operator who made new passwords sees which one is wrong, and that the bus reads them at its start only. */
function refusedUser(user: string | undefined, servers: readonly string[], cause: Error): Error {
  const who = user === undefined ? 'a client without a user' : `the user "${user}"`
  const cure = 'Check NATS_USER and NATS_PASSWORD; a bus reads its passwords when it starts.'
  return new Error(`The bus at ${servers.join(', ')} refuses ${who} (${cause.message}). ${cure}`, { cause })
}

interface Watcher {
  lost(): void
  reconnected(): void
  refused(subject: string): void
}

async function watch(nc: NatsConnection, log: Log, watcher: Watcher): Promise<void> {
  void nc.closed().then((error) => {
    if (error) log.error({ err: error }, 'bus connection closed')
    watcher.lost()
  })
  for await (const status of nc.status()) {
    if (status.type === 'disconnect') {
      log.warn('bus disconnected')
      watcher.lost()
    } else if (status.type === 'reconnect') {
      log.info('bus connected')
      watcher.reconnected()
    } else if (status.type === 'error') {
      const { error } = status
      log.error({ err: error }, 'bus error')
      if (error instanceof PermissionViolationError && error.operation === 'publish') watcher.refused(error.subject)
    }
  }
}

export function busUnavailable(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
