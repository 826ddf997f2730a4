import type { Offer, Preview, SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { fields } from '../rows/heading.js'
import type { Layout } from '../rows/layout.js'
import { type ReadingRules, RowReader } from '../rows/row-reader.js'
import { keptCells, type LeftOutRow, showSkipped } from '../import-tasks/skipped-row.js'
import { countRows } from './count-rows.js'
import type { RowSource } from './row-source.js'

const SHOWN_ROWS = 20
const SHOWN_REJECTED = 100

/** Shows the result of an import without importing, with the same code. @throws PriceFileError, ColumnsNotFound */
export async function previewRows(source: RowSource, rules: ReadingRules, folder: string): Promise<Preview> {
  const count = await countRows(source, rules, folder, false)
  const rows: Offer[] = []
  const rejected: SkippedRow[] = []
  const reject = (row: number, code: LeftOutRow['code'], cells: string[]): void => {
    if (rejected.length < SHOWN_REJECTED) rejected.push(showSkipped({ row, code, cells: keptCells(cells) }))
  }
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      if (count.isDuplicate(row)) return reject(row, 'DUPLICATE', cells)
      if (rows.length >= SHOWN_ROWS) return
      const { brand_key: _brand, article_key: _article, ...shown } = offer
      rows.push(shown)
    },
    skipped: reject,
  })
  for await (const block of source.blocks()) {
    reader.push(block)
    if (rows.length >= SHOWN_ROWS && rejected.length >= SHOWN_REJECTED) break
  }
  reader.finish()
  const totals = { rows: count.total, importable: count.importable, skipped: count.total - count.importable }
  return { ...source.form, columns: showColumns(reader.layout), rows, rejected, totals }
}

function showColumns(layout: Layout | undefined): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const field of fields) {
    const found = layout?.columns[field].map((column) => column + 1) ?? []
    if (found.length > 0) columns[field] = found.length === 1 ? found[0] : found
  }
  if (layout?.brand !== undefined) columns['brand'] = { value: layout.brand }
  return columns
}
