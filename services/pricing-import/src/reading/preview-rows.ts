import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { RowBlock } from '@partsbus/price-file/row-block'
import { keptCells, showSkipped } from '../import-tasks/skipped-row.js'
import { fields } from '../rows/field-headings.js'
import { ColumnsNotFound, type Layout } from '../rows/layout.js'
import { isBlank, type ImportableRow } from '../rows/read-row.js'
import { HEADER_WITHIN, type NumberedRow, type ReadingRules, RowReader } from '../rows/row-reader.js'
import type { SkipCode } from '../rows/skip-code.js'
import { countRows, type RowObserver } from './count-rows.js'
import type { RowSource } from './row-source.js'

const SHOWN_ROWS = 20
const SHOWN_REJECTED = 100
const SHOWN_SAMPLE = 30
/** Bytes of the rejected rows, so that a preview of monstrous rows fits a message. */
const SHOWN_REJECTED_BYTES = 2 * 1024 * 1024
/** A header below this row of the file begins the sample, so that rows below it are shown, too. */
const SAMPLE_HEADER_WITHIN = 20
/** Characters of a cell of the sample, and of the header. */
const SAMPLE_CELL = 100
const HEADER_CELL = 200

/** The part of a preview that depends on the file alone. */
export type FilePreview = Omit<Preview, 'preview_id' | 'file' | 'live_rows' | 'guard'>

/**
 * Shows the result of an import without importing, with the same code. What is wrong with the format rather than with
 * the file is the `problem` of the preview.
 * @throws PriceFileError
 */
export async function previewRows(source: RowSource, rules: ReadingRules, folder: string): Promise<FilePreview> {
  const seen = new SeenRows(rules)
  try {
    const count = await countRows(source, rules, folder, false, seen)
    const skipped = count.total - count.importable
    const duplicates = skipped - seen.skippedRows
    const { rows, rejected } =
      duplicates === 0
        ? { rows: seen.rows, rejected: seen.rejected.rows }
        : await readShown(source, rules, count.isDuplicate, {
            rows: Math.min(SHOWN_ROWS, count.importable),
            rejected: Math.min(SHOWN_REJECTED, skipped),
          })
    return {
      ...source.form,
      ...showLayout(seen.reader?.layout, rules),
      rows,
      rejected,
      totals: { rows: count.total, importable: count.importable, skipped },
      header: showHeader(seen.reader),
      sample: seen.sample(count.header),
      skipped_by_code: { ...seen.codes, ...(duplicates > 0 && { DUPLICATE: duplicates }) },
    }
  } catch (error) {
    if (error instanceof ColumnsNotFound) {
      const { code, missing, layout } = error.columns
      return { ...unread(source, seen, rules, layout), problem: { code, missing, message: error.message } }
    }
    if (!isWrongFormat(error, rules)) throw error
    const detected = source.detected()
    for await (const block of detected.blocks()) {
      seen.block(block)
      if (seen.isTopComplete) break
    }
    return { ...unread(detected, seen, rules), problem: { code: error.problem, missing: [], message: error.message } }
  }
}

/** Whether another encoding or sheet in the format may help. */
function isWrongFormat(error: unknown, { format }: ReadingRules): error is PriceFileError {
  if (!(error instanceof PriceFileError)) return false
  const isSet = (value: unknown): boolean => value !== undefined && value !== 'auto'
  return (
    (error.problem === 'ENCODING' && isSet(format.encoding)) || (error.problem === 'NO_SHEET' && isSet(format.sheet))
  )
}

function unread(source: RowSource, seen: SeenRows, rules: ReadingRules, layout?: Layout): FilePreview {
  return {
    ...source.form,
    ...showLayout(layout, rules),
    rows: [],
    rejected: [],
    totals: { rows: 0, importable: 0, skipped: 0 },
    header: showHeader(seen.reader),
    sample: seen.sample(seen.reader?.header ?? null),
    skipped_by_code: {},
  }
}

/** Reads the file again until so many rows were shown: which rows are duplicates is known at its end only. */
async function readShown(
  source: RowSource,
  rules: ReadingRules,
  isDuplicate: (row: number) => boolean,
  shown: { rows: number; rejected: number },
): Promise<Pick<Preview, 'rows' | 'rejected'>> {
  const rows: Preview['rows'] = []
  const rejected = new RejectedRows(shown.rejected)
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      if (isDuplicate(row)) rejected.push(row, 'DUPLICATE', cells)
      else if (rows.length < shown.rows) rows.push(showOffer(row, offer))
    },
    skipped: (row, code, cells) => rejected.push(row, code, cells),
  })
  for await (const block of source.blocks()) {
    reader.push(block)
    if (rows.length >= shown.rows && rejected.isFull) return { rows, rejected: rejected.rows }
  }
  reader.finish()
  return { rows, rejected: rejected.rows }
}

/** The first rows that are rejected. */
class RejectedRows {
  readonly rows: SkippedRow[] = []
  private bytes = 0

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.rows.length >= this.most || this.bytes >= SHOWN_REJECTED_BYTES
  }

  push(row: number, code: SkipCode, cells: string[]): void {
    if (this.isFull) return
    const shown = showSkipped({ row, code, cells: keptCells(cells) })
    this.rows.push(shown)
    this.bytes += Buffer.byteLength(JSON.stringify(shown))
  }
}

/** The rows that a preview shows of a file without duplicates, and the sample. */
class SeenRows implements RowObserver {
  readonly rows: Preview['rows'] = []
  readonly rejected = new RejectedRows(SHOWN_REJECTED)
  readonly codes: Record<string, number> = {}
  reader: RowReader | undefined
  skippedRows = 0
  private readonly top: NumberedRow[] = []
  private readonly topRows: number

  constructor({ format }: ReadingRules) {
    this.topRows = (format.skip_rows ?? 0) + HEADER_WITHIN + SHOWN_SAMPLE
  }

  get isTopComplete(): boolean {
    return this.top.length >= this.topRows
  }

  opened(reader: RowReader): void {
    this.reader = reader
  }

  block({ first, rows }: RowBlock): void {
    for (let index = 0; index < rows.length && !this.isTopComplete; index += 1) {
      const cells = rows[index] ?? []
      if (!cells.every(isBlank)) this.top.push({ row: first + index, cells })
    }
  }

  importable(row: number, offer: ImportableRow): void {
    if (this.rows.length < SHOWN_ROWS) this.rows.push(showOffer(row, offer))
  }

  skipped(row: number, code: SkipCode, cells: string[]): void {
    this.skippedRows += 1
    this.codes[code] = (this.codes[code] ?? 0) + 1
    this.rejected.push(row, code, cells)
  }

  /** The top of the file, or the rows from a header on that stands far below it. */
  sample(header: NumberedRow | null): NumberedRow[] {
    const from = header && header.row > SAMPLE_HEADER_WITHIN ? header.row : 0
    return this.top
      .filter(({ row }) => row >= from)
      .slice(0, SHOWN_SAMPLE)
      .map((shown) => cutCells(shown, SAMPLE_CELL))
  }
}

function showOffer(row: number, offer: ImportableRow): Preview['rows'][number] {
  const { brand_key: _brand, article_key: _article, ...shown } = offer
  return { row, ...shown }
}

function showHeader(reader: RowReader | undefined): NumberedRow | null {
  const header = reader?.header
  return header ? cutCells(header, HEADER_CELL) : null
}

function cutCells({ row, cells }: NumberedRow, most: number): NumberedRow {
  return { row, cells: keptCells(cells).map((cell) => cell.slice(0, most).toWellFormed()) }
}

function showLayout(layout: Layout | undefined, { format }: ReadingRules): Pick<FilePreview, 'columns' | 'found_by'> {
  const columns: FilePreview['columns'] = {}
  const found_by: FilePreview['found_by'] = {}
  for (const field of fields) {
    const found = layout?.columns[field].map((column) => column + 1) ?? []
    if (found.length === 0) continue
    columns[field] = found.length === 1 ? found[0] : found
    found_by[field] = format.columns?.[field] === undefined ? 'heading' : 'set'
  }
  for (const field of ['brand', 'quantity'] as const) {
    const value = layout?.[field]
    if (value === undefined) continue
    columns[field] = { value }
    found_by[field] = 'set'
  }
  return { columns, found_by }
}
