import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import type { RowBlock } from '@partsbus/price-file/row-block'
import { defaultRowLimits } from '@partsbus/price-file/row-block'
import { normalHeading } from './heading.js'
import { ColumnsNotFound, findLayout, type Layout } from './layout.js'
import { type DecimalMark, findMark } from './number-text.js'
import { priceDigits } from './price.js'
import { type ImportableRow, isBlank, pick, readRow, type RowRules } from './read-row.js'
import type { SkipCode } from './skip-code.js'

/** The settings of a list by which its file is read. A task stores a copy, so that every attempt reads the same. */
export interface ReadingRules extends RowRules {
  format: PriceListFormat
}

/**
 * Receives each row once, in the order of the file. The header, the rows above it, the rows of `skip_rows` and blank
 * rows are omitted (rules.md#no-rows); row numbers are those of the file.
 */
export interface RowSink {
  importable(row: number, offer: ImportableRow, cells: string[]): void
  skipped(row: number, code: SkipCode, cells: string[]): void
}

/** A row of the file with its number. */
export interface NumberedRow {
  row: number
  cells: string[]
}

/** Rows that are buffered before the header and the columns are determined. */
const LEAD_ROWS = 300
/** Number of rows below the skipped ones in which a header is searched. */
export const HEADER_WITHIN = 100

/*
 * Collecting the first rows (push) → columns determined (after 300 rows, or at the end) → each row goes to the sink.
 * Preview, count and import all read through this class, so they agree on every row.
 */
export class RowReader {
  private readonly rules: ReadingRules
  private readonly sink: RowSink
  private lead: NumberedRow[] = []
  private mark: DecimalMark | undefined
  private headArticle = ''
  /** the columns of the fields, once determined */
  layout: Layout | undefined
  /** null when the file has no header row */
  header: NumberedRow | null = null

  constructor(rules: ReadingRules, sink: RowSink) {
    this.rules = rules
    this.sink = sink
  }

  /** @throws ColumnsNotFound when the columns cannot be determined */
  push(block: RowBlock): void {
    let row = block.first
    for (const cells of block.rows) {
      this.pushRow(row, cells)
      row += 1
    }
  }

  /** @throws ColumnsNotFound */
  pushRow(row: number, cells: string[]): void {
    if (this.layout) this.read(row, cells, this.layout)
    else this.collect(row, cells)
  }

  /** Processes the rows that are still buffered. @throws ColumnsNotFound */
  finish(): void {
    if (!this.layout) this.layOut()
  }

  private collect(row: number, cells: string[]): void {
    this.lead.push({ row, cells })
    if (this.lead.length >= LEAD_ROWS + (this.rules.format.skip_rows ?? 0)) this.layOut()
  }

  private layOut(): void {
    const skip = this.rules.format.skip_rows ?? 0
    const candidates = this.lead.slice(skip, skip + HEADER_WITHIN).map(({ cells }) => cells)
    const layout = this.findLayout(candidates, skip)
    const header = layout.header === -1 ? -1 : layout.header + skip
    const below = this.lead.slice(Math.max(header + 1, skip))
    this.layout = layout
    this.header = this.lead[header] ?? null
    this.mark = decimalMark(below.map(({ cells }) => pick(cells, layout, 'price')))
    this.headArticle = normalHeading(pick(this.lead[header]?.cells ?? [], layout, 'article'))
    const lead = this.lead
    this.lead = []
    lead.forEach(({ row, cells }, index) => {
      if (index >= skip && index > header) this.read(row, cells, layout)
    })
  }

  private findLayout(candidates: string[][], skip: number): Layout {
    try {
      return findLayout(candidates, this.rules.format)
    } catch (error) {
      // a preview shows the header although its columns are not known
      if (error instanceof ColumnsNotFound && error.columns.layout.header !== -1)
        this.header = this.lead[error.columns.layout.header + skip] ?? null
      throw error
    }
  }

  private read(row: number, cells: string[], layout: Layout): void {
    if (cells.every(isBlank)) return
    if (cells.length > defaultRowLimits.maxColumns) return this.sink.skipped(row, 'TOO_MANY_CELLS', cells)
    const result = readRow(cells, layout, this.rules, this.mark)
    if (typeof result !== 'string') this.sink.importable(row, result, cells)
    else this.sink.skipped(row, this.isHeader(cells, layout) ? 'REPEATED_HEADER' : result, cells)
  }

  private isHeader(cells: string[], layout: Layout): boolean {
    return this.headArticle !== '' && normalHeading(pick(cells, layout, 'article')) === this.headArticle
  }
}

/** The decimal mark that most prices imply. */
function decimalMark(prices: string[]): DecimalMark | undefined {
  let commas = 0
  for (const price of prices) {
    const mark = findMark(priceDigits(price))
    if (mark !== undefined) commas += mark === ',' ? 1 : -1
  }
  return commas === 0 ? undefined : commas > 0 ? ',' : '.'
}
