import type { LocalFile } from '../files/open-rows.js'
import { inSlices, openRows } from '../files/open-rows.js'
import type { RowBlock } from '@partsbus/price-file/row-block'
import { KeyTable } from '../rows/key-table.js'
import { type NumberedRow, type ReadingRules, RowReader } from '../rows/row-reader.js'

/** What the first reading of a file tells: how much there is to do, and which rows a later one beats. */
export interface RowCount {
  /** rows of the file without its header */
  total: number
  importable: number
  /** whether a later row has the same brand and article */
  isBeaten(row: number): boolean
  keys: KeyTable
  header: NumberedRow | null
  /** the rows themselves, of a file that is small enough */
  rows: RowBlock[] | undefined
}

/** Cells of a file that is kept in memory instead of being read twice. */
const KEPT_CELLS = 200_000

/**
 * Reads a file once without keeping its rows. What it finds depends on the file and the rules alone, so an import that is
 * taken over judges each row as the first attempt did.
 * @param step called between blocks
 * @throws PriceFileError, NoLayout
 */
export async function countRows(file: LocalFile, rules: ReadingRules, step: () => void): Promise<RowCount> {
  const keys = new KeyTable()
  let total = 0
  let beaten = new Uint8Array(8_192)
  const mark = (row: number): void => {
    if (row >> 3 >= beaten.length) {
      const larger = new Uint8Array(Math.max(beaten.length * 2, (row >> 3) + 1))
      larger.set(beaten)
      beaten = larger
    }
    beaten[row >> 3] = (beaten[row >> 3] ?? 0) | (1 << (row & 7))
  }
  const reader = new RowReader(rules, {
    importable(row, offer) {
      total += 1
      const before = keys.add(offer.brand_key, offer.article_key, row)
      if (before !== 0) mark(before)
    },
    skipped() {
      total += 1
    },
  })
  const { blocks } = await openRows(file, rules.format)
  let kept: RowBlock[] | undefined = []
  let cells = 0
  for await (const block of inSlices(blocks)) {
    step()
    reader.push(block)
    for (const row of block.rows) cells += row.length
    if (cells > KEPT_CELLS) kept = undefined
    else kept?.push(block)
  }
  reader.end()
  return { total, importable: keys.size, keys, header: reader.header, rows: kept, isBeaten: (row) => ((beaten[row >> 3] ?? 0) & (1 << (row & 7))) !== 0 }
}
