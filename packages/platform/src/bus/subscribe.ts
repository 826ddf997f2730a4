import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Log } from '../process/log.js'

/**
 * Subscribes with a callback that cannot throw. The client calls callbacks inside its read loop: an exception ends the
 * loop, and the connection receives nothing more until its pings time out. One malformed message must not do that.
 */
export function subscribe(
  nc: Pick<NatsConnection, 'subscribe'>,
  subject: string,
  options: { log: Pick<Log, 'warn' | 'error'>; queue?: string },
  receive: (message: Msg) => void,
): Subscription {
  return nc.subscribe(subject, {
    ...(options.queue !== undefined && { queue: options.queue }),
    callback: (error, message) => {
      if (error) {
        options.log.error({ err: error, subject }, 'subscription failed')
        return
      }
      try {
        receive(message)
      } catch (thrown) {
        options.log.warn({ err: thrown, subject: message.subject }, 'malformed message ignored')
      }
    },
  })
}
