import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { buildInfo } from './build-info.js'

export { Counter, Gauge, Histogram } from 'prom-client'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A scrape has 10 s by default, and the other metrics must not wait for a database that does not answer. */
const READ_WITHIN_MS = 2_000

/** What a gauge reads from the database while it is scraped. @throws when that takes more than two seconds */
export async function readForScrape<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${READ_WITHIN_MS} ms`)), READ_WITHIN_MS)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The metrics of a process, with the names of OpenTelemetry in the form of Prometheus. */
export interface Metrics {
  registry: Registry
  /** duration of handling a request, by subject and error code */
  messages: Histogram<'messaging_destination_name' | 'error_type'>
  /** duration of a call to another service, by subject and error code */
  calls: Histogram<'messaging_destination_name' | 'error_type'>
  inFlight: Gauge
  failures: Counter<'error_type'>
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'partsbus_build_info',
    help: 'Version and commit of the process; always 1',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ ...buildInfo }, 1)
  return {
    registry,
    messages: new Histogram({
      name: 'messaging_process_duration_seconds',
      help: 'Duration of handling a request, in seconds',
      labelNames: ['messaging_destination_name', 'error_type'],
      buckets: seconds,
      registers: [registry],
    }),
    calls: new Histogram({
      name: 'messaging_client_operation_duration_seconds',
      help: 'Duration of a call to another service, in seconds',
      labelNames: ['messaging_destination_name', 'error_type'],
      buckets: seconds,
      registers: [registry],
    }),
    inFlight: new Gauge({ name: 'messaging_in_flight', help: 'Requests in progress', registers: [registry] }),
    failures: new Counter({
      name: 'internal_errors_total',
      help: 'Requests that failed because of a defect',
      labelNames: ['error_type'],
      registers: [registry],
    }),
  }
}
