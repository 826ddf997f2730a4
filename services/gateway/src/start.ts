import { type AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '@partsbus/platform/process/start-process'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.js'
import type { GatewayConfig } from './config.js'
import { createContext, type GatewayContext } from './context.js'

/** An outage of the administration service must not make all gateways unready: they answer the documented 503. */
const SETTINGS_GRACE_MS = 30_000
/** How long idle connections stay open after the gateway stopped accepting new ones, in ms. */
const IDLE_GRACE_MS = 500
const CLOSE_IDLE_EVERY_MS = 200
/** How long the gateway waits for the bus before it starts without it, in ms. */
const BUS_WAIT_MS = 3_000

export interface RunningGateway {
  port: number
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a gateway. It starts without the bus and without the administration service, and answers 503 until it has read
 * settings. A bus that refuses its credentials ends the process.
 */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  let ctx: GatewayContext | undefined
  const runtime = await startProcess('gateway', config, {
    name: 'administration service',
    isUp: () => ctx?.settings.canRead() === true,
    graceMs: SETTINGS_GRACE_MS,
  })
  const { bus, log } = runtime
  bus.reached.catch((error: unknown) => {
    log.fatal({ err: error }, 'bus refused the connection')
    process.exit(1)
  })
  let draining = false
  const { settings, apis, batches, rateLimits } = (ctx = createContext(runtime, config))
  const leave = async (): Promise<void> => {
    await settings.stop()
    await runtime.close()
  }
  await Promise.race([bus.reached.catch(() => undefined), sleep(BUS_WAIT_MS, undefined, { ref: false })])
  await settings.start()
  const app = await createApp(ctx, () => draining)
  await app.listen({ port: config.PORT, host: config.HOST }).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  const { port } = app.server.address() as AddressInfo
  void settings.reached.then(() => runtime.setReady(!draining))
  log.info({ port, management_port: runtime.managementPort }, 'ready')
  return {
    port,
    managementPort: runtime.managementPort,
    async stop() {
      draining = true
      runtime.setReady(false)
      await sleep(config.SHUTDOWN_DELAY_MS)
      await closeServer(app)
      await Promise.all([apis.stop(), batches.stop()])
      rateLimits.erp.stop()
      rateLimits.b2b.stop()
      await leave()
    },
  }
}

/**
 * Closes the server without failing a request. During the shutdown delay load balancers stop sending requests, and
 * every response closes its connection. Then the gateway accepts no more connections, still serves those that are open,
 * and closes the idle ones after a grace period. `close` of the HTTP server would close idle connections at once, while
 * a request may be on its way.
 */
async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    Server.prototype.close.call(app.server, () => resolve())
  })
  await Promise.race([closed, sleep(IDLE_GRACE_MS)])
  // a response that began before the shutdown did not announce that its connection closes
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  await closed
  clearInterval(idle)
  await app.close().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
  })
}
