import { type AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessStore } from '@partsbus/platform/mongo/process-store'
import { NewerSchema } from '@partsbus/platform/mongo/run-migrations'
import { QuietReport } from '@partsbus/platform/process/quiet-report'
import { type Runtime, startRuntime } from '@partsbus/platform/process/runtime'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.js'
import { measureBackups } from './backup-metric.js'
import type { GatewayConfig } from './config.js'
import { createContext } from './context.js'
import { startJobs } from './jobs.js'
import { migrations } from './migrations.js'
import { serveSettings } from './settings/serve-settings.js'

/** An election of the database must not make all gateways unready: they answer the documented 503 meanwhile. */
const DATABASE_GRACE_MS = 30_000
/** How long idle connections stay open after the gateway stopped accepting new ones, in ms. */
const IDLE_GRACE_MS = 500
const CLOSE_IDLE_EVERY_MS = 200
/** How often the database is asked before the gateway starts without it. */
const START_PINGS = 3

export interface RunningGateway {
  port: number
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a gateway. It starts without the database and without the bus, and answers 503 for whatever needs them. A bus
 * that refuses its credentials ends the process.
 */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const runtime = await startRuntime('gateway', config, { needsBus: false, databaseGraceMs: DATABASE_GRACE_MS })
  const { bus, log, mongo } = runtime
  bus.reached.catch((error: unknown) => {
    log.fatal({ err: error }, 'bus refused the connection')
    process.exit(1)
  })
  let draining = false
  const stopped = new AbortController()
  const migration = await startMigrating(runtime, stopped.signal)
  // in the database rather than on the bus: a gateway that lost the bus still authenticates requests
  const registry = new ProcessStore(mongo.db, 'gateways')
  const ctx = createContext(runtime, config, registry)
  registry.report = new QuietReport(mongo.db, ctx.settings.writes, () => bus.nc.flush())
  measureBackups(runtime.metrics, mongo)
  const leave = async (): Promise<void> => {
    stopped.abort()
    await ctx.settings.stop()
    await registry.remove().catch((error: unknown) => log.warn({ err: error }, 'gateway entry not removed'))
    await runtime.close()
  }
  await ctx.settings.start()
  serveSettings(bus, ctx.settings)
  const app = await createApp(ctx, () => draining)
  await app.listen({ port: config.PORT, host: config.HOST }).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  const { port } = app.server.address() as AddressInfo
  const jobs = startJobs(ctx)
  ctx.apis.start()
  void migration.done.then((isDone) => runtime.setReady(isDone))
  log.info({ port, management_port: runtime.managementPort }, 'ready')
  return {
    port,
    managementPort: runtime.managementPort,
    async stop() {
      draining = true
      stopped.abort()
      runtime.setReady(false)
      await sleep(config.SHUTDOWN_DELAY_MS)
      await closeServer(app)
      // a clean-up on its way may wait for the database
      void jobs.stop()
      await Promise.all([ctx.apis.stop(), ctx.batches.stop()])
      ctx.rateLimits.erp.stop()
      ctx.rateLimits.b2b.stop()
      await leave()
    },
  }
}

/**
 * Brings the database to the version of this code before anything is written to it. While the database is down the
 * gateway starts nevertheless, and migrates when it is back.
 * @returns `done` resolves with false if the gateway stops before
 */
async function startMigrating(runtime: Runtime, stopped: AbortSignal): Promise<{ done: Promise<boolean> }> {
  const isUp = await isReached(runtime)
  const done = runtime.migrate(migrations, stopped).then(() => !stopped.aborted)
  if (isUp) {
    await done.catch(async (error: unknown) => {
      await runtime.close()
      throw error
    })
    return { done }
  }
  const exit = (error: unknown): boolean => {
    if (stopped.aborted) return false
    runtime.log.fatal({ err: error }, 'database not migrated')
    process.exit(error instanceof NewerSchema ? error.exitCode : 1)
  }
  return { done: done.catch(exit) }
}

/** A first connection with TLS and a sign-in may take longer than a ping. */
async function isReached({ mongo }: Runtime): Promise<boolean> {
  for (let attempt = 1; attempt <= START_PINGS; attempt += 1) if (await mongo.ping()) return true
  return false
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
