import { Inject, Injectable } from '@nestjs/common'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import { Gauge, type Metrics } from '@partsbus/platform/process/metrics'
import { ImportFiguresStore, type QueueFigures } from './import-figures-store.js'

const DAY_MS = 86_400_000

/** Gauges of the import queue. Every replica shows the same figures, so alerts and scaling use their maximum. */
@Injectable()
export class QueueGauges {
  private reading: Promise<QueueFigures> | undefined

  constructor(
    @Inject(METRICS) { registry }: Metrics,
    private readonly figures: ImportFiguresStore,
  ) {
    const show = (set: (queue: QueueFigures) => void, clear: () => void): Promise<void> =>
      // the other metrics stay available while the database is down
      this.read().then(set, clear)
    new Gauge({
      name: 'price_import_tasks',
      help: 'Import tasks that wait or are in progress, by status',
      labelNames: ['status'],
      registers: [registry],
      collect() {
        return show(
          ({ pending, processing }) => {
            this.set({ status: 'pending' }, pending)
            this.set({ status: 'processing' }, processing)
          },
          () => this.reset(),
        )
      },
    })
    new Gauge({
      name: 'price_import_lists_waiting',
      help: 'Price lists with uploads in the queue of which none is being imported',
      registers: [registry],
      collect() {
        return show(
          ({ listsWaiting }) => this.set(listsWaiting),
          () => this.remove(),
        )
      },
    })
    new Gauge({
      name: 'price_import_oldest_waiting_seconds',
      help: 'Age of the oldest upload of such a price list, in seconds; 0 when there is none',
      registers: [registry],
      collect() {
        return show(
          ({ oldestWaitingMs }) => this.set(oldestWaitingMs / 1_000),
          () => this.remove(),
        )
      },
    })
    const readFailed = () => this.readFailed()
    new Gauge({
      name: 'price_import_lists_failed',
      help: 'Price lists whose last import failed within a day',
      registers: [registry],
      collect() {
        return readFailed().then(
          (count) => this.set(count),
          () => this.remove(),
        )
      },
    })
  }

  private async readFailed(): Promise<number> {
    return (await this.figures.findFailed(new Date(Date.now() - DAY_MS))).length
  }

  /** One query for the gauges of the queue. */
  private read(): Promise<QueueFigures> {
    this.reading ??= this.figures.measureQueue().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }
}
