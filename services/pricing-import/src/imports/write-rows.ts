import type { PricingImportContext } from '../context.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import { BatchWriter } from './batch-writer.js'
import type { ImportLease } from './import-lease.js'

/**
 * Writes the rows of a counted file as offers of the task's version, from the resume point on.
 * @returns the final counters, which are those of an undisturbed run
 */
export async function writeRows(
  ctx: PricingImportContext,
  lease: ImportLease,
  rows: PriceListReader,
): Promise<RowCounters> {
  const { id, resume_row } = lease.task
  const writer = new BatchWriter(ctx, lease)
  const batches = rows.batches({ version: id, afterRow: resume_row, atOnce: ctx.config.IMPORT_BATCH_ROWS })
  try {
    for (;;) {
      const next = await lease.orLost(batches.next())
      if (next.done) {
        await writer.end()
        return next.value
      }
      await writer.take(next.value)
    }
  } finally {
    // what was begun must not go on behind the back of the next attempt
    await writer.settled()
  }
}
