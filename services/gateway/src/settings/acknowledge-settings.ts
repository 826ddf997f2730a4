import { settingsChanged } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import type { SettingsCache } from './settings-cache.js'

/** Reads the settings when they were written, and tells the writer that this gateway serves by the new ones. */
export function acknowledgeSettings(
  bus: Pick<BusConnection, 'nc' | 'reached'>,
  gateway: string,
  settings: Pick<SettingsCache, 'read'>,
): void {
  const subscribe = (): void => {
    bus.nc.subscribe(settingsChanged.subject, {
      callback: (error, message) => {
        if (error) return
        settings
          .read()
          .then(() => message.respond(gateway))
          // not acknowledged: the writer repeats the message or waits until our settings have expired
          .catch(() => undefined)
      },
    })
  }
  // a bus that refuses the gateway ends the process elsewhere
  bus.reached.then(subscribe, () => undefined)
}
