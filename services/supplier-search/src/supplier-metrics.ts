import { Histogram, type Metrics } from '@partsbus/platform/process/metrics'

export type SupplierOperation = 'brands' | 'parts'

/** How long suppliers take, by kind and outcome (`ok`, `cached`, `timeout`, `error`, `refused` by an open breaker). */
export interface SupplierMetrics {
  duration: Histogram<'adapter' | 'operation' | 'outcome'>
}

export function createSupplierMetrics(metrics: Metrics): SupplierMetrics {
  return {
    duration: new Histogram({
      name: 'supplier_adapter_duration_seconds',
      help: 'Time a supplier took to answer',
      labelNames: ['adapter', 'operation', 'outcome'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10],
      registers: [metrics.registry],
    }),
  }
}
