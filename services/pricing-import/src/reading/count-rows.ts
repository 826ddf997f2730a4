import { DuplicateIndex } from '../rows/duplicate-index.js'
import { type ReadingRules, RowReader } from '../rows/row-reader.js'
import type { RowCount } from './reader-protocol.js'
import type { RowSource } from './row-source.js'

/** The count, and the rows that a later row replaces. */
export interface CountedRows extends RowCount {
  /** whether a later row has the same brand and article */
  isDuplicate(row: number): boolean
  /** 1 for each key that an importable row has, 0 for the others */
  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Uint8Array
}

/**
 * Reads a file without keeping its rows. The result depends on the file and the rules alone, so an import that another
 * worker takes over treats each row as the first attempt did.
 * @param folder for temporary files
 * @param keepKeys whether `containsKeys` is called later
 * @throws PriceFileError, ColumnsNotFound
 */
export async function countRows(
  source: RowSource,
  rules: ReadingRules,
  folder: string,
  keepKeys: boolean,
): Promise<CountedRows> {
  const keys = new DuplicateIndex(folder)
  let total = 0
  let last = 0
  const reader = new RowReader(rules, {
    importable(row, offer) {
      total += 1
      last = row
      keys.add(offer.brand_key, offer.article_key, row)
    },
    skipped() {
      total += 1
    },
  })
  for await (const block of source.blocks()) reader.push(block)
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
