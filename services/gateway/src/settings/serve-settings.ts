import { AppError } from '@partsbus/contracts/errors'
import { currentSettings } from '@partsbus/contracts/gateway/commands'
import { busHeaders } from '@partsbus/contracts/message'
import type { CallSettings } from '@partsbus/contracts/gateway/settings'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { SettingsCache } from './settings-cache.js'

/**
 * Answers services that ask for the current settings; the bus sends each request to one gateway. The settings contain
 * no tokens.
 */
export function serveSettings(bus: BusConnection, settings: Pick<SettingsCache, 'fresh'>): void {
  // a bus that refuses the gateway ends the process elsewhere
  bus.reached.then(
    () => subscribe(bus.nc, settings),
    () => undefined,
  )
}

function subscribe(nc: NatsConnection, settings: Pick<SettingsCache, 'fresh'>): void {
  nc.subscribe(currentSettings.subject, {
    queue: 'gateway',
    callback: (error, message) => {
      if (error) return
      read(settings)
        .then(
          (call) => message.respond(JSON.stringify(call)),
          (thrown: unknown) => {
            const { code, message: text }: AppError = toAppError(thrown)
            const failed = headers()
            failed.set(busHeaders.error, code)
            message.respond(JSON.stringify({ code, message: text }), { headers: failed })
          },
        )
        .catch(() => undefined)
    },
  })
}

async function read(settings: Pick<SettingsCache, 'fresh'>): Promise<CallSettings> {
  return (await settings.fresh()).call
}
