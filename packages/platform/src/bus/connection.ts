import { AppError, texts } from '@partsbus/contracts/errors'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import type { Log } from '../process/log.js'

/** One connection to the bus, and whether the server is there right now. */
export interface BusConnection {
  /** @throws AppError UNAVAILABLE as long as the server was never there */
  readonly nc: NatsConnection
  /** resolves when the server was there for the first time; rejects when it refuses us */
  readonly reached: Promise<void>
  /** what the inboxes of this connection begin with */
  readonly inboxPrefix: string
  isUp(): boolean
  isClosed(): boolean
  /** called once per loss of the connection; answers that were on their way will not come */
  onLoss(listener: () => void): void
  /** called with a subject that this process may not publish to, when it did */
  onRefused(listener: (subject: string) => void): void
  /** Sends what waits to be sent, where the server is there, and closes. */
  close(): Promise<void>
}

export interface BusOptions {
  url: string
  user?: string | undefined
  password?: string | undefined
  /** service name: connection name, and the prefix of its inboxes for the server's permissions */
  name: string
  log: Log
}

/** Connects, waiting for a server that is not there yet, and reconnects for ever. */
export async function connectBus(options: BusOptions): Promise<BusConnection> {
  const bus = openBus(options)
  await bus.reached
  return bus
}

/** As {@link connectBus}, for those who can do something before the server is there. */
export function openBus({ log, ...options }: BusOptions): BusConnection {
  let nc: NatsConnection | undefined
  let up = false
  let unwanted = false
  const listeners: Array<() => void> = []
  const lose = (): void => {
    up = false
    for (const listener of listeners) listener()
  }
  const refusalListeners: Array<(subject: string) => void> = []
  const refused = (subject: string): void => {
    for (const listener of refusalListeners) listener(subject)
  }
  const inboxPrefix = `_INBOX_${options.name.replaceAll('-', '_')}`
  const reached = dial({ ...options, inboxPrefix }).then((connected) => {
    nc = connected
    up = true
    void watch(connected, log, {
      lost: lose,
      found: () => {
        up = true
      },
      refused,
    })
    if (unwanted) return connected.close()
  })
  // whoever waits for it is told; nobody else need be
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
      unwanted = true
      // draining a connection whose server is away would wait for ever
      if (up) await nc?.drain().catch(() => undefined)
      else await nc?.close()
    },
  }
}

function dial({
  url,
  user,
  password,
  name,
  inboxPrefix,
}: Omit<BusOptions, 'log'> & { inboxPrefix: string }): Promise<NatsConnection> {
  return connect({
    servers: url.split(','),
    ...(user !== undefined && { user, pass: password ?? '' }),
    name,
    inboxPrefix,
    noAsyncTraces: true,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  })
}

interface Watcher {
  lost(): void
  found(): void
  refused(subject: string): void
}

async function watch(nc: NatsConnection, log: Log, watcher: Watcher): Promise<void> {
  void nc.closed().then((error) => {
    if (error) log.error({ err: error }, 'bus connection closed')
    watcher.lost()
  })
  for await (const status of nc.status()) {
    if (status.type === 'disconnect') {
      log.warn('bus away')
      watcher.lost()
    } else if (status.type === 'reconnect') {
      log.info('bus reached')
      watcher.found()
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
