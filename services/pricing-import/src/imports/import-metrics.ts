import { Counter, Gauge, type Metrics } from '@partsbus/platform/process/metrics'
import type { TaskStore } from '../tasks/task-store.js'

export interface ImportMetrics {
  /** rows by what became of them: `imported` or `skipped` */
  rows: Counter<'result'>
  /** runs of sources by their kind and outcome */
  sourceRuns: Counter<'kind' | 'outcome'>
}

export function openImportMetrics(registry: Metrics['registry'], tasks: TaskStore): ImportMetrics {
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
        // the other metrics are worth having while the database is away
        this.reset()
      }
    },
  })
  return {
    rows: new Counter({
      name: 'price_import_rows_total',
      help: 'Rows of price lists by what became of them',
      labelNames: ['result'],
      registers: [registry],
    }),
    sourceRuns: new Counter({
      name: 'price_source_runs_total',
      help: 'Runs of scheduled sources by their outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
  }
}
