import { BusClient } from '../bus/client.js'
import { type BusConnection, openBus } from '../bus/connection.js'
import { buildInfo } from './build-info.js'
import type { ProcessConfig } from './config.js'
import { createLog, type Log } from './log.js'
import { startManagement } from './management.js'
import { createMetrics, type Metrics } from './metrics.js'
import { Readiness, type ReadinessChecks } from './readiness.js'

/** The objects that every process has. */
export interface ProcessRuntime {
  log: Log
  metrics: Metrics
  bus: BusConnection
  calls: BusClient
  managementPort: number
  /**
   * the unmeasured part of readiness: started completely and not stopping
   * @param phase why the process is not
   */
  setReady(ready: boolean, phase?: string): void
  close(): Promise<void>
}

/**
 * Opens log, metrics, health and bus of a process named `name`. It does not wait for the bus: see `bus.reached`.
 * @param dependency what the process needs besides the bus
 */
export async function startProcess(
  name: string,
  config: ProcessConfig,
  dependency: ReadinessChecks['dependency'],
): Promise<Omit<ProcessRuntime, 'close'> & { close(afterBus?: Array<() => Promise<void>>): Promise<void> }> {
  const log = createLog(name, config.LOG_LEVEL)
  log.info({ commit: buildInfo.commit }, 'starting')
  const metrics = createMetrics(name)
  let bus: BusConnection | undefined
  const readiness = new Readiness({ isBusUp: () => bus?.isUp() === true, dependency })
  const management = await startManagement({
    port: config.MANAGEMENT_PORT,
    host: config.MANAGEMENT_HOST,
    registry: metrics.registry,
    checks: {
      live: () => (bus?.isClosed() ? 'the bus connection is closed' : undefined),
      ready: () => readiness.unreadyReason(),
    },
  })
  bus = openBus({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    ca: config.NATS_CA,
    name,
    log,
  })
  return {
    log,
    metrics,
    bus,
    calls: new BusClient(bus, metrics),
    managementPort: management.port,
    setReady: (value, phase) => readiness.set(value, phase),
    async close(afterBus = []) {
      await bus.close()
      for (const step of afterBus) await step()
      await management.close()
    },
  }
}
