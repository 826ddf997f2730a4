import { Inject, Injectable } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { PricingImportConfig } from '../config.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import { SkippedRowStore } from '../import-tasks/skipped-row-store.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { BatchWriter } from './batch-writer.js'
import type { ImportLease } from './import-lease.js'
import { ImportMetrics } from './import-metrics.js'

@Injectable()
export class WriteRows {
  constructor(
    private readonly offers: OfferStore,
    private readonly skippedRows: SkippedRowStore,
    private readonly tasks: TaskStore,
    private readonly metrics: ImportMetrics,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
  ) {}

  /**
   * Writes the rows of a counted file as offers of the task's version, from the resume point on.
   * @returns the final counters, which are those of an undisturbed run
   */
  async writeRows(lease: ImportLease, reader: PriceListReader): Promise<RowCounters> {
    const { id, resume_row } = lease.task
    const { offers, skippedRows, tasks, metrics, config } = this
    const writer = new BatchWriter({ offers, skippedRows, tasks, metrics }, lease, config.IMPORT_SAVE_MS)
    const batches = reader.batches({ version: id, afterRow: resume_row, atOnce: config.IMPORT_BATCH_ROWS })
    try {
      for (;;) {
        const next = await lease.orLost(batches.next())
        if (next.done) {
          await writer.finish()
          return next.value
        }
        await writer.write(next.value)
      }
    } finally {
      // a write under way must not overlap with the next attempt
      await writer.settled()
    }
  }
}
