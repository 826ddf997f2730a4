import { AppError, texts } from '@partsbus/contracts/errors'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from './log.js'

/** One connection to the bus, and whether the server is there right now. */
export interface BusConnection {
  /** @throws AppError UNAVAILABLE as long as the server was never there */
  readonly nc: NatsConnection
  /** resolves when the server was there for the first time; rejects when it refuses us */
  readonly reached: Promise<void>
  isUp(): boolean
  isClosed(): boolean
  /** called once per loss of the connection; answers that were on their way will not come */
  onLoss(listener: () => void): void
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
  const reached = dial(options).then((connected) => {
    nc = connected
    up = true
    void watch(connected, log, lose, () => { up = true })
    if (unwanted) return connected.close()
  })
  // whoever waits for it is told; nobody else need be
  reached.catch(() => undefined)
  return {
    get nc() {
      if (!nc) throw busAway()
      return nc
    },
    reached,
    isUp: () => up && nc?.isClosed() === false,
    isClosed: () => nc?.isClosed() === true,
    onLoss: (listener) => listeners.push(listener),
    async close() {
      unwanted = true
      // draining a connection whose server is away would wait for ever
      if (up) await nc?.drain().catch(() => undefined)
      else await nc?.close()
    },
  }
}

function dial({ url, user, password, name }: Omit<BusOptions, 'log'>): Promise<NatsConnection> {
  return connect({
    servers: url.split(','),
    ...(user !== undefined && { user, pass: password ?? '' }),
    name,
    inboxPrefix: `_INBOX_${name.replaceAll('-', '_')}`,
    noAsyncTraces: true,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  })
}

async function watch(nc: NatsConnection, log: Log, lost: () => void, found: () => void): Promise<void> {
  void nc.closed().then((error) => {
    if (error) log.error({ err: error }, 'bus connection closed')
    lost()
  })
  for await (const status of nc.status()) {
    if (status.type === 'disconnect') {
      log.warn('bus away')
      lost()
    } else if (status.type === 'reconnect') {
      log.info('bus reached')
      found()
    } else if (status.type === 'error') {
      log.error({ err: status.error }, 'bus error')
    }
  }
}

export function busAway(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
