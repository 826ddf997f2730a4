import { Inject, Injectable } from '@nestjs/common'
import { settingsChanged } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { createInbox } from '@nats-io/transport-node'

/** The message is repeated this often, in ms: a gateway may have been busy, or could not read them, the first time. */
const REPEAT_MS = 500

/** Tells the gateways that the settings were written, and waits until they have read them. */
@Injectable()
export class SettingsBroadcast {
  constructor(@Inject(BUS) private readonly bus: BusConnection) {}

  /**
   * Resolves when each of these gateways has acknowledged, or after the wait.
   * @param gateways ids
   */
  async publish(rev: number, gateways: readonly string[], waitMs: number): Promise<void> {
    const missing = new Set(gateways)
    if (missing.size === 0) return
    await new Promise<void>((resolve) => {
      const replies = this.bus.isUp() ? this.subscribeReplies(rev, (gateway) => acknowledge(gateway)) : undefined
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
  }

  private subscribeReplies(rev: number, acknowledge: (gateway: string) => void): { stop: () => void } {
    const { nc, inboxPrefix } = this.bus
    const inbox = createInbox(inboxPrefix)
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
}
