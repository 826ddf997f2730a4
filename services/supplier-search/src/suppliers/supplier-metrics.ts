import { Inject, Injectable } from '@nestjs/common'
import { Histogram, type Metrics } from '@partsbus/platform/process/metrics'
import { METRICS } from '@partsbus/platform/process/injection-tokens'

export type SupplierOperation = 'brands' | 'parts'

@Injectable()
export class SupplierMetrics {
  /** outcomes: `ok`, `cached`, `partial`, `timeout`, `error`, and `refused` by an open circuit breaker */
  readonly duration: Histogram<'adapter' | 'operation' | 'outcome'>

  constructor(@Inject(METRICS) metrics: Metrics) {
    this.duration = new Histogram({
      name: 'supplier_adapter_duration_seconds',
      help: 'Duration of queries to suppliers, in seconds',
      labelNames: ['adapter', 'operation', 'outcome'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10],
      registers: [metrics.registry],
    })
  }
}
