import 'reflect-metadata'
import type { INestMicroservice, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { PassErrors } from '../bus/nest-adapter.js'
import { BusServer } from '../bus/server.js'
import { answerDiagnose } from '../diagnosis/answer-diagnose.js'
import { type Diagnosis, listChecks } from '../diagnosis/make-checks.js'
import type { PlatformConfig } from './config.js'
import type { Migration } from '../mongo/migration.js'
import { databaseNow } from '../mongo/clock.js'
import { ProcessStore } from '../mongo/process-store.js'
import { PausableWork } from './pausable-work.js'
import { keepEntry } from './process-entry.js'
import { PlatformModule } from './platform-module.js'
import { QuietReport } from './quiet-report.js'
import { startRuntime } from './runtime.js'

/** Connections of the pool that calls of high priority never occupy. */
const RESERVED_CONNECTIONS = 2

export interface RunningService {
  /** gives the providers of the service's modules, by class or token */
  app: INestMicroservice
  managementPort: number
  stop(): Promise<void>
}

/**
 * Starts a service from its root module: health endpoints, database, bus, migrations, providers, subscriptions,
 * background work.
 * Waits while the database or the bus cannot be reached; `/readyz` reports it.
 *
 * A provider creates its indexes in `onModuleInit`, starts background work in `onApplicationBootstrap` (the service
 * already answers) and ends it in `onModuleDestroy`. In `onApplicationShutdown`, when no work is left, it writes what
 * it has in memory and closes what it has opened. Stopping runs in this order: not ready, subscriptions drained,
 * handlers finished, `onModuleDestroy`, `onApplicationShutdown`, bus and database closed. Nest runs the hooks of what a
 * class injects before those of the class at the start, and after them at a stop.
 */
export async function startService<Config extends PlatformConfig>(
  name: string,
  config: Config,
  module: Type,
  migrations: readonly Migration[] = [],
  diagnosis?: Diagnosis<Config>,
): Promise<RunningService> {
  const runtime = await startRuntime(name, config)
  const close = [() => runtime.close()]
  try {
    const { mongo, bus, log, metrics } = runtime
    await runtime.retryUntilReached(() => mongo.client.connect())
    await runtime.migrate(migrations)
    const server = new BusServer({
      nc: bus.nc,
      queue: name,
      log,
      metrics,
      gate: () => mongo.unavailable(),
      readDelays: () => mongo.queueDelays.read(),
      urgentSlots: Math.max(1, config.MONGODB_POOL_SIZE - RESERVED_CONNECTIONS),
    })
    const examined = { db: mongo.db, config, calls: runtime.calls }
    const checks = diagnosis ? listChecks(name, diagnosis as Diagnosis, migrations, examined) : []
    const stopChecks = answerDiagnose(server, name, mongo.db, checks)
    const work = new PausableWork()
    const entries = new ProcessStore(mongo.db, 'processes')
    entries.report = new QuietReport(
      () => databaseNow(mongo.db),
      work,
      () => server.drain(),
    )
    const entry = await runtime.retryUntilReached(() => keepEntry(entries, log))
    close.unshift(() => entry.remove())
    const app = await NestFactory.createMicroservice(
      { module, imports: [PlatformModule.forRoot(runtime, server, config, work)] },
      // an error of a provider is thrown to the caller instead of ending the process inside Nest
      { strategy: server, logger: ['error', 'fatal'], abortOnError: false },
    )
    app.useGlobalFilters(new PassErrors())
    await app.listen()
    runtime.setReady(true)
    log.info({ management_port: runtime.managementPort }, 'ready')
    return {
      app,
      managementPort: runtime.managementPort,
      async stop() {
        runtime.setReady(false)
        stopChecks()
        try {
          await app.close()
        } finally {
          for (const step of close) await step()
        }
      },
    }
  } catch (error) {
    for (const step of close) await step().catch(() => undefined)
    throw error
  }
}
