import { AppError, texts } from '@partsbus/contracts/errors'
import type { Offer, Preview, SkippedRow } from '@partsbus/contracts/price-list'
import type { previewUpload as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/call'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { PricingImportContext } from '../context.js'
import { inSlices, type LocalFile, openRows } from '../files/open-rows.js'
import { countRows } from '../imports/count-rows.js'
import { fields } from '../rows/heading.js'
import { type Layout, NoLayout } from '../rows/layout.js'
import { type ReadingRules, RowReader } from '../rows/row-reader.js'
import { keptCells, showSkipped } from '../tasks/skipped-row-store.js'
import { invalidFile } from './check-file.js'
import { withUpload } from './with-upload.js'

const SHOWN_ROWS = 20
const SHOWN_REJECTED = 100

/**
 * Reads an uploaded file by the very code of an import, and imports nothing (admin document, `POST /price-lists/:id/preview`).
 * @throws AppError NOT_FOUND, INVALID_FILE with `details.reason`
 */
export async function previewUpload(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<Preview> {
  const { price_list_id, ...upload } = call.body
  const list = await ctx.lists.find(price_list_id)
  if (!list) throw new AppError('NOT_FOUND', texts.notFound)
  const { format, markup_percent, delivery_days } = list
  return withUpload(ctx, upload, call.settings['price-lists.import.max_file_size'], call.timeLeft(), async (file) => {
    try {
      return await previewFile(file, { format, markup_percent, delivery_days })
    } catch (error) {
      if (error instanceof PriceFileError || error instanceof NoLayout) throw invalidFile(error.message)
      throw error
    }
  })
}

export async function previewFile(file: LocalFile, rules: ReadingRules): Promise<Preview> {
  const count = await countRows(file, rules, () => undefined)
  const rows: Offer[] = []
  const rejected: SkippedRow[] = []
  const reject = (row: number, code: Parameters<typeof showSkipped>[0]['code'], cells: string[]): void => {
    if (rejected.length < SHOWN_REJECTED) rejected.push(showSkipped({ row, code, cells: keptCells(cells) }))
  }
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      if (count.isBeaten(row)) return reject(row, 'DUPLICATE', cells)
      if (rows.length >= SHOWN_ROWS) return
      const { brand_key: _brand, article_key: _article, ...shown } = offer
      rows.push(shown)
    },
    skipped: reject,
  })
  const { blocks, encoding, delimiter, sheet } = await openRows(file, rules.format)
  for await (const block of inSlices(blocks)) {
    reader.push(block)
    if (rows.length >= SHOWN_ROWS && rejected.length >= SHOWN_REJECTED) break
  }
  reader.end()
  const totals = { rows: count.total, importable: count.importable, skipped: count.total - count.importable }
  return { encoding, delimiter, sheet, columns: showColumns(reader.layout), rows, rejected, totals }
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
