import { Inject, Injectable } from '@nestjs/common'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import { Counter, Gauge, type Metrics } from '@partsbus/platform/process/metrics'
import { TaskStore } from '../import-tasks/task-store.js'

@Injectable()
export class ImportMetrics {
  /** by result: `imported` or `skipped` */
  readonly rows: Counter<'result'>
  readonly sourceRuns: Counter<'kind' | 'outcome'>

  constructor(@Inject(METRICS) { registry }: Metrics, tasks: TaskStore) {
    new Gauge({
      name: 'price_import_tasks',
      help: 'Import tasks by status',
      labelNames: ['status'],
      registers: [registry],
      async collect() {
        try {
          for (const status of ['pending', 'processing', 'completed', 'failed'] as const)
            this.set({ status }, await tasks.countByStatus(status))
        } catch {
          // the other metrics stay available while the database is down
          this.reset()
        }
      },
    })
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
