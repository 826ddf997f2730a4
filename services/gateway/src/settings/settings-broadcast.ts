import { settingsChanged } from '@partsbus/contracts/gateway'
import type { BusConnection } from '@partsbus/platform/bus/connection'

/** How long the other gateways are waited for, altogether and after the last one that replied. */
const WAIT_MS = 400
const SILENCE_MS = 60

/** Tells the gateways that settings were written, so that they need not wait for their next reading. */
export interface SettingsBroadcast {
  /** resolves when those that listen have read them, or the wait is over; never fails */
  tell(rev: number): Promise<void>
  /** @param hear reads the settings again; the teller waits for it */
  listen(hear: () => Promise<void>): void
}

export function openSettingsBroadcast(bus: BusConnection): SettingsBroadcast {
  return {
    async tell(rev) {
      if (!bus.isUp()) return
      try {
        const replies = await bus.nc.requestMany(settingsChanged.subject, JSON.stringify({ rev }), {
          strategy: 'stall',
          maxWait: WAIT_MS,
          stall: SILENCE_MS,
        })
        for await (const _ of replies);
      } catch {
        // the bus went away: the others find the settings at their next reading
      }
    },
    listen(hear) {
      const listen = (): void => {
        bus.nc.subscribe(settingsChanged.subject, {
          callback: (error, message) => {
            if (!error)
              hear()
                .then(() => message.respond())
                .catch(() => undefined)
          },
        })
      }
      // a bus that never lets us in is told of by whoever started us
      bus.reached.then(listen, () => undefined)
    },
  }
}
