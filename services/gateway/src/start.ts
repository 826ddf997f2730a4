import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { startRuntime } from '@partsbus/platform/process/runtime'
import { createApp } from './app.js'
import type { GatewayConfig } from './config.js'
import { createContext } from './context.js'
import { serveSettings } from './settings/serve-settings.js'

const CLOSE_IDLE_MS = 200

export interface RunningGateway {
  port: number
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a gateway. A database that is away does not stop it: it answers 503 until the settings can be read. Nor does a bus
 * that is away: what needs a service is answered 503 meanwhile. A bus that refuses it ends the process.
 * Stopping: readiness off, answers say `connection: close` for the shutdown delay, the server ends what is in
 * flight, then bus and database close.
 */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const parts = await startRuntime('gateway', config, { needsBus: false })
  parts.bus.reached.catch((error: unknown) => {
    parts.log.fatal({ err: error }, 'the bus refuses the gateway')
    process.exit(1)
  })
  let draining = false
  const ctx = createContext(parts, config)
  await ctx.settings.start()
  serveSettings(parts.bus, ctx.settings)
  const app = await createApp(ctx, () => draining)
  await app.listen({ port: config.PORT, host: config.HOST })
  const { port } = app.server.address() as AddressInfo
  parts.setReady(true)
  parts.log.info({ port, management_port: parts.managementPort }, 'ready')
  return {
    port,
    managementPort: parts.managementPort,
    async stop() {
      draining = true
      parts.setReady(false)
      await delay(config.SHUTDOWN_DELAY_MS)
      // a connection whose last answer began before the drain stays open behind it
      const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS)
      await app.close()
      clearInterval(idle)
      ctx.settings.stop()
      await parts.close()
    },
  }
}
