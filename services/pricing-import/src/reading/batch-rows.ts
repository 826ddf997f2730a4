import { BsonWriter } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import { writeOffer } from '../raw-insert/offer-bson.js'
import { isUnnamed } from '../rows/read-row.js'
import { type ReadingRules, RowReader } from '../rows/row-reader.js'
import type { SkipCode } from '../rows/skip-code.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import { writeSkippedRow } from '../raw-insert/skipped-row-bson.js'
import type { CountedRows } from './count-rows.js'
import type { RowBatch } from './reader-protocol.js'
import type { RowSource } from './row-source.js'

/** A batch of very long rows ends early to limit its memory. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024

export interface BatchOptions {
  version: number
  /** rows up to this one only update the counters; they were stored by an earlier attempt */
  afterRow: number
  /** rows per batch */
  atOnce: number
}

/**
 * Reads the rows of a counted file again, as documents to be stored. A batch is valid until the next one is requested.
 * @returns the final counters
 */
export async function* batchRows(
  source: RowSource,
  rules: ReadingRules,
  count: CountedRows,
  options: BatchOptions,
): AsyncGenerator<RowBatch, RowCounters> {
  const { version, afterRow, atOnce } = options
  const counters: RowCounters = {
    processed_rows: 0,
    imported_rows: 0,
    skipped_rows: 0,
    skipped_by_code: {},
    unnamed_rows: 0,
    unpriced_rows: 0,
  }
  const offers = new BsonWriter()
  const skipped = new BsonWriter()
  let imported = 0
  let leftOut = 0
  let last = 0
  const leaveOut = (row: number, code: SkipCode, cells: string[], by?: number): void => {
    counters.processed_rows += 1
    counters.skipped_rows += 1
    counters.skipped_by_code[code] = (counters.skipped_by_code[code] ?? 0) + 1
    last = row
    if (row <= afterRow) return
    leftOut += 1
    writeSkippedRow(skipped, version, { row, code, cells, by })
  }
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      const by = count.replacedBy(row)
      if (by !== 0) return leaveOut(row, 'DUPLICATE', cells, by)
      counters.processed_rows += 1
      counters.imported_rows += 1
      if (isUnnamed(offer)) counters.unnamed_rows += 1
      if (offer.price === null) counters.unpriced_rows += 1
      last = row
      if (row <= afterRow) return
      imported += 1
      writeOffer(offers, version, row, offer)
    },
    skipped: leaveOut,
  })
  const close = (): RowBatch => {
    const batch = {
      offers: offers.bytes(),
      skipped: skipped.bytes(),
      imported,
      leftOut,
      last,
      counters: { ...counters, skipped_by_code: { ...counters.skipped_by_code } },
    }
    offers.clear()
    skipped.clear()
    imported = 0
    leftOut = 0
    return batch
  }
  for await (const { first, rows, sheet } of source.blocks()) {
    reader.open(sheet)
    let row = first
    for (const cells of rows) {
      reader.pushRow(row, cells)
      row += 1
      if (imported + leftOut >= atOnce || offers.length + skipped.length >= MAX_BATCH_BYTES) yield close()
    }
  }
  reader.finish()
  if (imported + leftOut > 0) yield close()
  return counters
}
