import 'reflect-metadata'
import type { AppError } from '@partsbus/contracts/errors'
import type { DynamicModule } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { BusServer } from '../bus/server.js'
import { startRuntime, type Runtime } from './runtime.js'
import type { PlatformConfig } from './config.js'
import { PassErrors } from '../bus/nest-adapter.js'

/** What a service owns beyond the parts, and how it lets go of it. */
export interface Opened<Context> {
  ctx: Context
  /** starts background work, once the service answers */
  start?: () => void | Promise<void>
  /** ends background work, after the last request was answered and before connections close */
  stop?: () => Promise<void>
}

export interface RunningService<Context> {
  ctx: Context
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a service: health, database, bus, the service's own context, Nest at the door, background work.
 * Waits for a database or bus that is not there yet; `/readyz` says so meanwhile.
 * Stopping: readiness off, subscriptions drained, handlers ended, background work ended, bus and database closed.
 */
export async function startService<Context>(
  name: string,
  config: PlatformConfig,
  open: (parts: Runtime) => Promise<Opened<Context>>,
  module: (ctx: Context) => DynamicModule,
): Promise<RunningService<Context>> {
  const parts = await startRuntime(name, config)
  const { ctx, start, stop } = await parts.retryUntilReached(async () => {
    await parts.mongo.client.connect()
    return open(parts)
  })
  const gate = (): AppError | undefined => parts.mongo.unavailable()
  const strategy = new BusServer({ nc: parts.bus.nc, queue: name, log: parts.log, metrics: parts.metrics, gate })
  const app = await NestFactory.createMicroservice(module(ctx), { strategy, logger: ['error', 'fatal'] })
  app.useGlobalFilters(new PassErrors())
  await app.listen()
  await start?.()
  parts.setReady(true)
  parts.log.info({ management_port: parts.managementPort }, 'ready')
  return {
    ctx,
    managementPort: parts.managementPort,
    async stop() {
      parts.setReady(false)
      await strategy.close()
      await app.close()
      await stop?.()
      await parts.close()
    },
  }
}
