import { DuplicateIndex } from '../rows/duplicate-index.js'
import type { RowBlock } from '@partsbus/price-file/row-block'
import {
  compareKeys,
  type ComparedOffer,
  KEPT_ONE_IN,
  type KeyComparison,
  MAX_COMPARED_KEYS,
} from '../rows/compare-keys.js'
import { ColumnsNotFound } from '../rows/layout.js'
import { priceRank } from '../rows/price-rank.js'
import { ReplacedRows } from '../rows/replaced-rows.js'
import { type NumberedRow, type ReadSheet, type ReadingRules, RowReader, type RowSink } from '../rows/row-reader.js'
import type { RowSource } from './row-source.js'

/** Result of the first reading of a file. */
export interface RowCount {
  /** rows below the header that are not blank */
  total: number
  importable: number
  header: NumberedRow | null
  /** when all sheets of a workbook were read: those that have rows of the list or not */
  sheets: ReadSheet[]
}

/** The count, and the rows that another row replaces. */
export interface CountedRows extends RowCount {
  /** the row with the same brand and article that is imported in place of this one; 0: this one is */
  replacedBy(row: number): number
  /** 1 for each key that an importable row has, 0 for the others */
  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Uint8Array
  compareKeys(offers: ComparedOffer[]): KeyComparison
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
 * @param keep what is asked for later: nothing, `containsKeys`, or `compareKeys`
 * @param observer for a preview
 * @throws PriceFileError, ColumnsNotFound
 */
export async function countRows(
  source: RowSource,
  rules: ReadingRules,
  folder: string,
  keep: 'nothing' | 'keys' | 'prices',
  observer?: RowObserver,
): Promise<CountedRows> {
  const { duplicates = 'last' } = rules.format
  const isRanked = keep === 'prices' || duplicates === 'cheapest'
  const keys = new DuplicateIndex(folder, { duplicates, keepRanks: keep === 'prices' })
  let total = 0
  let candidates = 0
  let last = 0
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      total += 1
      candidates += 1
      last = row
      keys.add(offer.brand_key, offer.article_key, row, isRanked ? priceRank(offer) : 0)
      observer?.importable(row, offer, cells)
    },
    skipped(row, code, cells) {
      total += 1
      observer?.skipped(row, code, cells)
    },
  })
  observer?.opened(reader)
  try {
    for await (const block of source.blocks()) {
      observer?.block(block)
      reader.push(block)
    }
    reader.finish()
  } catch (error) {
    throw withEncoding(error, source)
  }
  const replaced = new ReplacedRows(last)
  const kept = keep === 'nothing' ? 'none' : keep === 'keys' || candidates <= MAX_COMPARED_KEYS ? 'all' : KEPT_ONE_IN
  const importable = keys.findDuplicates((row, by) => replaced.set(row, by), kept)
  replaced.resolve()
  return {
    total,
    importable,
    header: reader.header,
    sheets: reader.sheets,
    containsKeys: (wanted) => Uint8Array.from(wanted, ([brand, article]) => (keys.has(brand, article) ? 1 : 0)),
    compareKeys: (offers) => compareKeys(keys, offers),
    replacedBy: (row) => replaced.by(row),
  }
}

/** Columns may be missing only because the encoding was taken for another one. */
function withEncoding(error: unknown, { form: { encoding } }: RowSource): unknown {
  return error instanceof ColumnsNotFound && encoding !== null
    ? new ColumnsNotFound(`${error.message} The text was read as ${encoding}.`, error.columns)
    : error
}

/** What goes through the channel of a child process. */
export function rowCount({ total, importable, header, sheets }: CountedRows): RowCount {
  return { total, importable, header, sheets }
}
