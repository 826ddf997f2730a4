import { AppError, texts } from '@partsbus/contracts/errors'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from './log.js'

/** One connection to the bus, and whether the server is there right now. */
export interface BusConnection {
  nc: NatsConnection
  isUp(): boolean
  /** called once per loss of the connection; answers that were on their way will not come */
  onLoss(listener: () => void): void
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
  const nc = await connect({
    servers: options.url.split(','),
    ...(options.user !== undefined && { user: options.user, pass: options.password ?? '' }),
    name: options.name,
    inboxPrefix: `_INBOX_${options.name.replaceAll('-', '_')}`,
    noAsyncTraces: true,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  })
  let up = true
  const listeners: Array<() => void> = []
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        up = false
        options.log.warn('bus away')
        for (const listener of listeners) listener()
      } else if (status.type === 'reconnect') {
        up = true
        options.log.info('bus reached')
      } else if (status.type === 'error') {
        options.log.error({ err: status.error }, 'bus error')
      }
    }
  })()
  void nc.closed().then((error) => {
    up = false
    if (error) options.log.error({ err: error }, 'bus connection closed')
    for (const listener of listeners) listener()
  })
  return { nc, isUp: () => up && !nc.isClosed(), onLoss: (listener) => listeners.push(listener) }
}

export function busAway(): AppError {
  return new AppError('UNAVAILABLE', texts.unavailable)
}
