import type { PricingImportContext } from '../context.js'
import { inSlices, type LocalFile, openRows } from '../files/open-rows.js'
import { RowReader } from '../rows/row-reader.js'
import type { LeftOutRow } from '../tasks/skipped-row-store.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import { BatchWriter, type RowBatch } from './batch-writer.js'
import type { RowCount } from './count-rows.js'
import type { ListHold } from './list-hold.js'

/**
 * Writes the rows of a file as offers of the task's version, a batch at a time; the next batch is read while one is written.
 * Rows up to the resume point are read again for the counters, and not written: the counters are those of an undisturbed run.
 * @returns the final counters
 */
export async function writeRows(ctx: PricingImportContext, hold: ListHold, file: LocalFile, count: RowCount): Promise<RowCounters> {
  const { rules, resume_row } = hold.task
  const counters: RowCounters = { processed_rows: 0, imported_rows: 0, skipped_rows: 0 }
  const ready: RowBatch[] = []
  let open: RowBatch = newBatch(counters)
  const taken = (row: number): void => {
    counters.processed_rows += 1
    open.last = row
    if (open.offers.length + open.skipped.length >= ctx.config.IMPORT_BATCH_ROWS) close()
  }
  const close = (): void => {
    if (open.last > resume_row) ready.push({ ...open, counters: { ...counters } })
    open = newBatch(counters)
  }
  const leaveOut = (row: number, code: LeftOutRow['code'], cells: string[]): void => {
    counters.skipped_rows += 1
    if (row > resume_row) open.skipped.push({ row, code, cells })
    taken(row)
  }
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      if (count.isBeaten(row)) return leaveOut(row, 'DUPLICATE', cells)
      counters.imported_rows += 1
      if (row > resume_row) open.offers.push({ place: row, offer })
      taken(row)
    },
    skipped: leaveOut,
  })
  const writer = new BatchWriter(ctx, hold)
  const drain = async (): Promise<void> => {
    for (const batch of ready.splice(0)) await writer.take(batch)
  }
  const blocks = count.rows ?? (await openRows(file, rules.format, 'writing')).blocks
  for await (const block of inSlices(blocks)) {
    hold.check()
    reader.push(block)
    await drain()
  }
  reader.end()
  close()
  await drain()
  await writer.end()
  return counters
}

function newBatch(counters: RowCounters): RowBatch {
  return { offers: [], skipped: [], last: 0, counters }
}
