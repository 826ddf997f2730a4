import { Inject, Injectable } from '@nestjs/common'
import { METRICS } from '@partsbus/platform/process/injection-tokens'
import { Gauge, type Metrics, readForScrape } from '@partsbus/platform/process/metrics'
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
    const registers = [registry]
    const readQueue = () => this.readQueue()
    new Gauge({
      name: 'price_import_tasks',
      help: 'Import tasks that wait or are in progress, by status',
      labelNames: ['status'],
      registers,
      collect() {
        return readForScrape(readQueue()).then(
          ({ pending, processing }) => {
            this.set({ status: 'pending' }, pending)
            this.set({ status: 'processing' }, processing)
          },
          () => this.reset(),
        )
      },
    })
    const addGauge = (name: string, help: string, read: () => Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          // the other metrics stay available while the database is down
          return readForScrape(read()).then(
            (value) => this.set(value),
            () => this.remove(),
          )
        },
      })
    addGauge(
      'price_import_lists_waiting',
      'Price lists with uploads in the queue of which none is being imported',
      async () => (await readQueue()).listsWaiting,
    )
    addGauge(
      'price_import_oldest_waiting_seconds',
      'Age of the oldest upload of such a price list, in seconds; 0 when there is none',
      async () => (await readQueue()).oldestWaitingMs / 1_000,
    )
    addGauge(
      'price_import_lists_failed',
      'Price lists whose last import failed within a day',
      async () => (await this.figures.findFailed(new Date(Date.now() - DAY_MS))).length,
    )
  }

  /** One query for the gauges of the queue. */
  private readQueue(): Promise<QueueFigures> {
    this.reading ??= this.figures.measureQueue().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }
}
