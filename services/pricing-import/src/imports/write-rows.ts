import type { PricingImportContext } from '../context.js'
import { type LocalFile, openRows } from '../files/open-rows.js'
import type { PlacedOffer } from '../offers/offer-store.js'
import { RowReader } from '../rows/row-reader.js'
import type { LeftOutRow } from '../tasks/skipped-row-store.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import type { RowCount } from './count-rows.js'
import type { ListHold } from './list-hold.js'

interface RowBatch {
  offers: PlacedOffer[]
  skipped: LeftOutRow[]
  /** the last row in it */
  last: number
  /** as they are once it is written */
  counters: RowCounters
}

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
  let writing: Promise<void> = Promise.resolve()
  const drain = async (): Promise<void> => {
    for (const batch of ready.splice(0)) {
      await writing
      writing = writeBatch(ctx, hold, batch)
      // its failure is met by the next await
      writing.catch(() => undefined)
    }
  }
  const { blocks } = await openRows(file, rules.format, 'writing')
  for await (const block of blocks) {
    hold.check()
    reader.push(block)
    await drain()
  }
  reader.end()
  close()
  await drain()
  await writing
  return counters
}

function newBatch(counters: RowCounters): RowBatch {
  return { offers: [], skipped: [], last: 0, counters }
}

async function writeBatch(ctx: PricingImportContext, hold: ListHold, { offers, skipped, last, counters }: RowBatch): Promise<void> {
  const { id } = hold.task
  await Promise.all([
    hold.reach(() => ctx.offers.write(id, offers)),
    hold.reach(() => ctx.skippedRows.write(id, skipped)),
  ])
  await hold.must(() => ctx.tasks.save(hold.task, { ...counters, resume_row: last }))
  ctx.metrics.rows.inc({ result: 'imported' }, offers.length)
  ctx.metrics.rows.inc({ result: 'skipped' }, skipped.length)
}
