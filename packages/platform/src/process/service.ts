import 'reflect-metadata'
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { PassErrors } from '../bus/nest-adapter.js'
import { BusServer } from '../bus/server.js'
import type { PlatformConfig } from './config.js'
import { PlatformModule } from './platform-module.js'
import { type Runtime, startRuntime } from './runtime.js'

/** A service's own objects and its background work, for services without modules of their own. */
export interface Opened<Context> {
  ctx: Context
  /** starts background work; the service already answers */
  start?: () => void | Promise<void>
  /** ends background work, after the last request was answered and before connections close */
  stop?: () => Promise<void>
}

export interface RunningService<Context = undefined> {
  ctx: Context
  /** gives the providers of the service's modules, by class or token */
  app: INestMicroservice
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a service from its root module: health endpoints, database, bus, providers, subscriptions, background work.
 * Waits while the database or the bus cannot be reached; `/readyz` reports it.
 *
 * A provider creates its indexes in `onModuleInit`, starts background work in `onApplicationBootstrap` (the service
 * already answers) and ends it in `onModuleDestroy`. Stopping runs in this order: not ready, subscriptions drained,
 * handlers finished, background work ended (`onModuleDestroy`, then `onApplicationShutdown`), bus and database closed.
 */
export function startService(name: string, config: PlatformConfig, module: Type): Promise<RunningService>
export function startService<Context>(
  name: string,
  config: PlatformConfig,
  open: (runtime: Runtime) => Promise<Opened<Context>>,
  module: (ctx: Context) => DynamicModule,
): Promise<RunningService<Context>>
export async function startService<Context>(
  name: string,
  config: PlatformConfig,
  moduleOrOpen: Type | ((runtime: Runtime) => Promise<Opened<Context>>),
  module?: (ctx: Context) => DynamicModule,
): Promise<RunningService<Context | undefined>> {
  const runtime = await startRuntime(name, config)
  try {
    const { mongo, bus, log, metrics } = runtime
    const opened = await runtime.retryUntilReached(async () => {
      await mongo.client.connect()
      return module ? (moduleOrOpen as (runtime: Runtime) => Promise<Opened<Context>>)(runtime) : undefined
    })
    const root = module ? module(opened?.ctx as Context) : { module: moduleOrOpen as Type }
    const server = new BusServer({ nc: bus.nc, queue: name, log, metrics, gate: () => mongo.unavailable() })
    const app = await NestFactory.createMicroservice(
      { ...root, imports: [PlatformModule.forRoot(runtime, server, config), ...(root.imports ?? [])] },
      // an error of a provider is thrown to the caller instead of ending the process inside Nest
      { strategy: server, logger: ['error', 'fatal'], abortOnError: false },
    )
    app.useGlobalFilters(new PassErrors())
    await app.listen()
    await opened?.start?.()
    runtime.setReady(true)
    log.info({ management_port: runtime.managementPort }, 'ready')
    return {
      ctx: opened?.ctx,
      app,
      managementPort: runtime.managementPort,
      async stop() {
        runtime.setReady(false)
        try {
          await app.close()
          await opened?.stop?.()
        } finally {
          await runtime.close()
        }
      },
    }
  } catch (error) {
    await runtime.close().catch(() => undefined)
    throw error
  }
}
