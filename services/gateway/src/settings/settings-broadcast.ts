import { settingsChanged } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { createInbox } from '@nats-io/transport-node'

/** The message is repeated this often, in ms: a gateway may have been busy, or its database down, the first time. */
const REPEAT_MS = 500

/** Tells the other gateways that the settings were written, and waits until they have read them. */
export interface SettingsBroadcast {
  /**
   * Resolves when each of these gateways has acknowledged, or after the wait.
   * @param gateways ids
   */
  publish(rev: number, gateways: readonly string[], waitMs: number): Promise<void>
  /** @param reload reads the settings; the acknowledgement is sent when it resolves */
  listen(gateway: string, reload: () => Promise<void>): void
}

export function openSettingsBroadcast(bus: BusConnection): SettingsBroadcast {
  return {
    async publish(rev, gateways, waitMs) {
      const missing = new Set(gateways)
      if (missing.size === 0) return
      await new Promise<void>((resolve) => {
        const replies = bus.isUp() ? subscribeReplies(bus, rev, (gateway) => acknowledge(gateway)) : undefined
        const deadline = setTimeout(finish, waitMs)
        function acknowledge(gateway: string): void {
          missing.delete(gateway)
          if (missing.size === 0) finish()
        }
        function finish(): void {
          clearTimeout(deadline)
          replies?.stop()
          resolve()
        }
      })
    },
    listen(gateway, reload) {
      const subscribe = (): void => {
        bus.nc.subscribe(settingsChanged.subject, {
          callback: (error, message) => {
            if (error) return
            reload()
              .then(() => message.respond(gateway))
              // not acknowledged: the publisher repeats the message or waits until our settings have expired
              .catch(() => undefined)
          },
        })
      }
      // a bus that refuses the gateway ends the process elsewhere
      bus.reached.then(subscribe, () => undefined)
    },
  }
}

function subscribeReplies(
  bus: BusConnection,
  rev: number,
  acknowledge: (gateway: string) => void,
): { stop: () => void } {
  const { nc } = bus
  const inbox = createInbox(bus.inboxPrefix)
  const publish = (): void => {
    if (!nc.isClosed()) nc.publish(settingsChanged.subject, JSON.stringify({ rev }), { reply: inbox })
  }
  const subscription = nc.subscribe(inbox, {
    callback: (error, message) => {
      if (!error) acknowledge(message.string())
    },
  })
  publish()
  const timer = setInterval(publish, REPEAT_MS)
  return {
    stop: () => {
      clearInterval(timer)
      if (!nc.isClosed()) subscription.unsubscribe()
    },
  }
}
