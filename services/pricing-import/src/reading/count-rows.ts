import { DuplicateIndex } from '../rows/duplicate-index.js'
import type { RowBlock } from '@partsbus/price-file/row-block'
import { type NumberedRow, type ReadingRules, RowReader, type RowSink } from '../rows/row-reader.js'
import type { RowSource } from './row-source.js'

/** Result of the first reading of a file. */
export interface RowCount {
  /** rows below the header that are not blank */
  total: number
  importable: number
  header: NumberedRow | null
}

/** The count, and the rows that a later row replaces. */
export interface CountedRows extends RowCount {
  /** whether a later row has the same brand and article */
  isDuplicate(row: number): boolean
  /** 1 for each key that an importable row has, 0 for the others */
  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Uint8Array
}

/** Sees every block before its rows are read, and then each row. */
export interface RowObserver extends RowSink {
  block(block: RowBlock): void
  /** @param reader is complete when all rows were read, also when its columns were not found */
  opened(reader: RowReader): void
}

/**
 * Reads a file without keeping its rows. The result depends on the file and the rules alone, so an import that another
 * worker takes over treats each row as the first attempt did.
 * @param folder for temporary files
 * @param keepKeys whether `containsKeys` is called later
 * @param observer for a preview
 * @throws PriceFileError, ColumnsNotFound
 */
export async function countRows(
  source: RowSource,
  rules: ReadingRules,
  folder: string,
  keepKeys: boolean,
  observer?: RowObserver,
): Promise<CountedRows> {
  const keys = new DuplicateIndex(folder)
  let total = 0
  let last = 0
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      total += 1
      last = row
      keys.add(offer.brand_key, offer.article_key, row)
      observer?.importable(row, offer, cells)
    },
    skipped(row, code, cells) {
      total += 1
      observer?.skipped(row, code, cells)
    },
  })
  observer?.opened(reader)
  for await (const block of source.blocks()) {
    observer?.block(block)
    reader.push(block)
  }
  reader.finish()
  const duplicates = new Uint8Array((last >> 3) + 1)
  const importable = keys.findDuplicates((row) => {
    duplicates[row >> 3] = (duplicates[row >> 3] ?? 0) | (1 << (row & 7))
  }, keepKeys)
  return {
    total,
    importable,
    header: reader.header,
    containsKeys: (wanted) => Uint8Array.from(wanted, ([brand, article]) => (keys.has(brand, article) ? 1 : 0)),
    isDuplicate: (row) => ((duplicates[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
  }
}
