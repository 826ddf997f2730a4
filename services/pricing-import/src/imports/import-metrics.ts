import { Inject, Injectable } from '@nestjs/common'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import { Counter, type Metrics } from '@partsbus/platform/process/metrics'

@Injectable()
export class ImportMetrics {
  /** by result: `imported` or `skipped` */
  readonly rows: Counter<'result'>
  readonly sourceRuns: Counter<'kind' | 'outcome'>

  constructor(@Inject(METRICS) { registry }: Metrics) {
    this.rows = new Counter({
      name: 'price_import_rows_total',
      help: 'Imported and skipped rows of price lists',
      labelNames: ['result'],
      registers: [registry],
    })
    this.sourceRuns = new Counter({
      name: 'price_source_runs_total',
      help: 'Runs of scheduled sources by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    })
  }
}
