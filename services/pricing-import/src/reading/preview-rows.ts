import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { RowBlock } from '@partsbus/price-file/row-block'
import { keptCells, type LeftOutRow } from '../import-tasks/skipped-row.js'
import { ColumnsNotFound, type Layout } from '../rows/layout.js'
import { type ImportableRow, isUnnamed } from '../rows/read-row.js'
import { type ReadingRules, RowReader } from '../rows/row-reader.js'
import type { SkipCode } from '../rows/skip-code.js'
import { type CountedRows, countRows, type RowObserver } from './count-rows.js'
import type { RowSource } from './row-source.js'
import type { FilePreview } from './file-preview.js'
import { SeenBrands } from './seen-brands.js'
import { SeenTop } from './seen-top.js'
import { describeSheets } from './describe-sheets.js'
import { showLayout } from './show-layout.js'

const SHOWN_ROWS = 20
const SHOWN_REJECTED = 100
/** Bytes of the rejected rows, so that a preview of monstrous rows fits a message. */
const SHOWN_REJECTED_BYTES = 2 * 1024 * 1024

/**
 * Shows the result of an import without importing, with the same code. A problem of the format or of the file is part
 * of the preview, with all that was read before.
 * @returns `counted` when the file was read to its end
 */
export async function previewRows(
  source: RowSource,
  rules: ReadingRules,
  folder: string,
): Promise<{ preview: FilePreview; counted?: CountedRows }> {
  const seen = new SeenRows(rules)
  try {
    const counted = await countRows(source, rules, folder, 'prices', seen)
    return { preview: await describe(source, rules, counted, seen), counted }
  } catch (error) {
    if (error instanceof ColumnsNotFound) {
      const { code, missing, layout } = error.columns
      const facts = await describeUnread(source, seen, rules, layout)
      return { preview: { ...facts, problem: { code, missing, message: error.message } } }
    }
    if (!(error instanceof PriceFileError)) throw error
    const problem = { code: error.problem, missing: [], message: error.message }
    if (!isWrongFormat(error, rules)) {
      seen.layOut()
      const facts = await describeUnread(source, seen, rules, seen.reader?.layout)
      return { preview: { ...facts, problem, isUnreadable: true } }
    }
    return { preview: await describeDetected(source.detected(), seen, rules, problem) }
  }
}

/** The beginning of a file whose encoding or sheet in the format does not fit. */
async function describeDetected(
  detected: RowSource,
  seen: SeenRows,
  rules: ReadingRules,
  problem: NonNullable<FilePreview['problem']>,
): Promise<FilePreview> {
  try {
    for await (const block of detected.blocks()) {
      seen.block(block)
      if (seen.top.isComplete) break
    }
  } catch (error) {
    if (!(error instanceof PriceFileError)) throw error
    return { ...(await describeUnread(detected, seen, rules)), problem, isUnreadable: true }
  }
  const known = problem.code === 'WEB_PAGE' ? withoutTable(rules) : problem
  return { ...(await describeUnread(detected, seen, rules)), problem: known }
}

/** The page has a table, but not in the encoding of the format. */
const withoutTable = ({ format }: ReadingRules): NonNullable<FilePreview['problem']> => ({
  code: 'ENCODING',
  missing: [],
  message: `The page has no table when it is read as ${format.encoding}.`,
})

async function describe(
  source: RowSource,
  rules: ReadingRules,
  counted: CountedRows,
  seen: SeenRows,
): Promise<FilePreview> {
  const { total, importable, header, sheets } = counted
  const skipped = total - importable
  const duplicates = skipped - seen.skippedRows
  const { rows, rejected } =
    duplicates === 0
      ? { rows: seen.rows, rejected: seen.rejected.rows }
      : await readShown(source, rules, counted, {
          rows: Math.min(SHOWN_ROWS, importable),
          rejected: Math.min(SHOWN_REJECTED, skipped),
        })
  return {
    ...source.form,
    ...(await describeSheets(source, sheets, seen.top.rowsOfSheets)),
    ...showLayout(seen.reader?.layout, rules, header),
    rows,
    rejected,
    totals: { rows: total, importable, skipped },
    header: seen.top.header(header),
    sample: seen.top.sample(header),
    skipped_by_code: { ...seen.codes, ...(duplicates > 0 && { DUPLICATE: duplicates }) },
    unnamed: seen.unnamed,
    unpriced: seen.unpriced,
    // the brand of the format is a brand
    doubtfulBrands: seen.reader?.layout?.brand === undefined ? seen.brands.doubtful : 0,
    positions: sheets.map(({ name, offset }) => ({ name, offset })),
  }
}

/** Whether another encoding or sheet in the format may help. */
function isWrongFormat(error: PriceFileError, { format }: ReadingRules): boolean {
  const isSet = (value: unknown): boolean => value !== undefined && value !== 'auto'
  if (error.problem === 'NO_SHEET') return isSet(format.sheet)
  // in the wrong encoding a page may have no tables
  return (error.problem === 'ENCODING' || error.problem === 'WEB_PAGE') && isSet(format.encoding)
}

async function describeUnread(
  source: RowSource,
  seen: SeenRows,
  rules: ReadingRules,
  layout?: Layout,
): Promise<FilePreview> {
  const header = seen.reader?.header ?? null
  const sheets = seen.reader?.sheets ?? []
  return {
    ...source.form,
    // reading stopped, so the rows that were seen are not all of them
    ...(await describeSheets(source, sheets, new Map())),
    ...showLayout(layout, rules, header),
    rows: [],
    rejected: [],
    totals: { rows: 0, importable: 0, skipped: 0 },
    header: seen.top.header(header),
    sample: seen.top.sample(header),
    skipped_by_code: {},
    unnamed: 0,
    unpriced: 0,
    doubtfulBrands: 0,
    positions: sheets.map(({ name, offset }) => ({ name, offset })),
  }
}

/** Reads the file again until so many rows were shown: which rows are duplicates is known at its end only. */
async function readShown(
  source: RowSource,
  rules: ReadingRules,
  counted: CountedRows,
  shown: { rows: number; rejected: number },
): Promise<Pick<FilePreview, 'rows' | 'rejected'>> {
  const rows: FilePreview['rows'] = []
  const rejected = new RejectedRows(shown.rejected)
  const reader = new RowReader(rules, {
    importable(row, offer, cells) {
      const by = counted.replacedBy(row)
      if (by !== 0) rejected.push(row, 'DUPLICATE', cells, by)
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
  readonly rows: LeftOutRow[] = []
  private bytes = 0

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.rows.length >= this.most || this.bytes >= SHOWN_REJECTED_BYTES
  }

  push(row: number, code: SkipCode, cells: string[], by?: number): void {
    if (this.isFull) return
    const shown = { row, code, cells: keptCells(cells), ...(by !== undefined && { by }) }
    this.rows.push(shown)
    this.bytes += Buffer.byteLength(JSON.stringify(shown))
  }
}

/** The rows that a preview shows of a file without duplicates, and the sample. */
class SeenRows implements RowObserver {
  readonly rows: FilePreview['rows'] = []
  readonly rejected = new RejectedRows(SHOWN_REJECTED)
  readonly codes: Record<string, number> = {}
  readonly top: SeenTop
  readonly brands = new SeenBrands()
  reader: RowReader | undefined
  skippedRows = 0
  /** duplicates included */
  unnamed = 0
  unpriced = 0

  constructor({ format }: ReadingRules) {
    this.top = new SeenTop(format.skip_rows ?? 0)
  }

  opened(reader: RowReader): void {
    this.reader = reader
  }

  /** Determines the columns from the rows that were read before the file broke off. */
  layOut(): void {
    try {
      this.reader?.finish()
    } catch (error) {
      if (!(error instanceof ColumnsNotFound)) throw error
    }
  }

  block(block: RowBlock): void {
    this.top.push(block)
  }

  importable(row: number, offer: ImportableRow): void {
    if (isUnnamed(offer)) this.unnamed += 1
    if (offer.price === null) this.unpriced += 1
    this.brands.add(offer.brand_key)
    if (this.rows.length < SHOWN_ROWS) this.rows.push(showOffer(row, offer))
  }

  skipped(row: number, code: SkipCode, cells: string[]): void {
    this.skippedRows += 1
    this.codes[code] = (this.codes[code] ?? 0) + 1
    this.rejected.push(row, code, cells)
  }
}

function showOffer(row: number, offer: ImportableRow): FilePreview['rows'][number] {
  const { article_key: _article, ...shown } = offer
  return { row, ...shown }
}
