import { articleKey } from '@partsbus/contracts/article'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { type BlockSheet, defaultRowLimits, type RowBlock } from '@partsbus/price-file/row-block'
import { normalHeading } from './heading.js'
import { ColumnsNotFound, doubtfulArticle, findLayout, type Layout } from './layout.js'
import { type DecimalMark, findMark } from './number-text.js'
import { priceDigits } from './price.js'
import { isDoubtfulArticle } from './doubtful-article.js'
import type { Field } from './field-headings.js'
import { GroupHeadings } from './group-headings.js'
import { KnownBrands } from './known-brands.js'
import { type ImportableRow, isBlank, isTotal, pick, readRow, type RowRules } from './read-row.js'
import type { SkipCode } from './skip-code.js'

/** The settings of a list by which its file is read. A task stores a copy, so that every attempt reads the same. */
export interface ReadingRules extends RowRules {
  format: PriceListFormat
  /** a person sees the result before anything is imported, and can choose other columns */
  is_draft?: boolean
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

/** A sheet of a workbook whose sheets are all read, and whether it has the columns of a list. */
export interface ReadSheet extends BlockSheet {
  isRead: boolean
}

/*
 * Collecting the first rows (push) → columns determined (after 300 rows, or at the end) → each row goes to the sink.
 * When all sheets of a workbook are read, each of them starts again with its own header; one whose columns cannot be
 * determined is left out. Preview, count and import all read through this class, so they agree on every row.
 */
export class RowReader {
  private readonly rules: ReadingRules
  private readonly sink: RowSink
  private lead: NumberedRow[] = []
  private mark: DecimalMark | undefined
  private headArticle = ''
  private readonly known: KnownBrands | undefined
  /** blank unless the format takes brands from them */
  private readonly groups: GroupHeadings
  /** of a row without one: that of the group, else one that the name contains */
  private readonly findBrand = (name: string): string => this.groups.brand || (this.known?.find(name) ?? '')
  private sheet: ReadSheet | undefined
  private isLeftOut = false
  /** why the first sheet was left out */
  private refusal: ColumnsNotFound | undefined
  private current: Layout | undefined
  /** the columns of the fields, once determined; of several sheets those of the first */
  layout: Layout | undefined
  /** null when the file has no header row; of several sheets the one of the first */
  header: NumberedRow | null = null
  /** when all sheets of a workbook are read */
  readonly sheets: ReadSheet[] = []

  constructor(rules: ReadingRules, sink: RowSink) {
    this.rules = rules
    this.sink = sink
    this.known = rules.format.known_brands === true ? new KnownBrands(rules.known_brands ?? []) : undefined
    this.groups = new GroupHeadings(this.known)
  }

  /** @throws ColumnsNotFound when the columns cannot be determined */
  push(block: RowBlock): void {
    this.open(block.sheet)
    let row = block.first
    for (const cells of block.rows) {
      this.pushRow(row, cells)
      row += 1
    }
  }

  /** To be called before the rows of a block are pushed one by one. */
  open(sheet: BlockSheet | undefined): void {
    if (sheet === undefined || sheet.name === this.sheet?.name) return
    if (this.sheet) this.finishSheet()
    this.sheet = { ...sheet, isRead: false }
    this.sheets.push(this.sheet)
    this.current = undefined
    this.isLeftOut = false
    this.groups.clear()
  }

  /** @throws ColumnsNotFound */
  pushRow(row: number, cells: string[]): void {
    if (this.current) this.read(row, cells, this.current)
    else if (!this.isLeftOut) this.collect(row, cells)
  }

  /** Processes the rows that are still buffered. @throws ColumnsNotFound */
  finish(): void {
    this.finishSheet()
    if (this.sheet && !this.layout && this.refusal) throw this.refusal
  }

  private finishSheet(): void {
    if (!this.current && !this.isLeftOut) this.layOut()
  }

  private collect(row: number, cells: string[]): void {
    this.lead.push({ row, cells })
    if (this.lead.length >= LEAD_ROWS + (this.rules.format.skip_rows ?? 0)) this.layOut()
  }

  private layOut(): void {
    const skip = this.rules.format.skip_rows ?? 0
    const candidates = this.lead.slice(skip, skip + HEADER_WITHIN).map(({ cells }) => cells)
    const layout = this.findLayout(candidates, skip)
    const lead = this.lead
    this.lead = []
    if (!layout) {
      this.isLeftOut = true
      return
    }
    const header = layout.header === -1 ? -1 : layout.header + skip
    const below = lead.slice(Math.max(header + 1, skip))
    if (!this.layout) {
      this.header = lead[header] ?? null
      const doubt = this.doubt(below, this.header, layout)
      if (doubt) throw doubt
      this.layout = layout
    }
    this.current = layout
    if (this.sheet) this.sheet.isRead = true
    this.mark = decimalMark(below.map(({ cells }) => pick(cells, layout, 'price')))
    this.headArticle = normalHeading(pick(lead[header]?.cells ?? [], layout, 'article'))
    lead.forEach(({ row, cells }, index) => {
      if (index >= skip && index > header) this.read(row, cells, layout)
    })
  }

  /**
   * @returns undefined for one of several sheets that does not fit: its columns are not found, or it lacks a header
   * row although the sheets before it have one
   */
  private findLayout(candidates: string[][], skip: number): Layout | undefined {
    try {
      const layout = findLayout(candidates, this.rules.format)
      return this.sheet && this.layout && this.header && layout.header === -1 ? undefined : layout
    } catch (error) {
      if (!(error instanceof ColumnsNotFound)) throw error
      const refusal = this.layout ? error : this.refuse(error, skip)
      if (!this.sheet) throw refusal
      this.refusal ??= refusal
      return undefined
    }
  }

  /** The refusal while no sheet was read yet: a preview shows the header, and all that is missing at once. */
  private refuse(error: ColumnsNotFound, skip: number): ColumnsNotFound {
    const { layout, missing } = error.columns
    const header = layout.header === -1 ? undefined : this.lead[layout.header + skip]
    this.header ??= header ?? null
    return this.doubt(this.lead.slice(layout.header + skip + 1), header, layout, missing) ?? error
  }

  /**
   * Does not propose a column that was found by its heading alone and holds something else. What is imported by itself
   * stays as it was. Of several sheets that fit the first one decides.
   */
  private doubt(
    rows: NumberedRow[],
    header: NumberedRow | null | undefined,
    layout: Layout,
    missing: readonly Field[] = [],
  ): ColumnsNotFound | undefined {
    const { format, is_draft = false } = this.rules
    const [column] = layout.columns.article
    if (!is_draft || format.columns?.article !== undefined || column === undefined) return undefined
    const cells = rows.map((row) => row.cells)
    return isDoubtfulArticle(cells, layout) ? doubtfulArticle(header?.cells[column] ?? '', layout, missing) : undefined
  }

  private read(row: number, cells: string[], layout: Layout): void {
    if (cells.every(isBlank)) return
    if (cells.length > defaultRowLimits.maxColumns) return this.sink.skipped(row, 'TOO_MANY_CELLS', cells)
    const result = readRow(cells, layout, this.rules, this.mark, this.findBrand)
    if (typeof result !== 'string') {
      this.groups.end()
      return this.sink.importable(row, result, cells)
    }
    const isHeader = this.isHeader(cells, layout)
    if (layout.hasGroupBrand && !isHeader && isTotalRow(cells, layout)) this.groups.clear()
    else if (result !== 'GROUP_ROW') this.groups.end()
    else if (layout.hasGroupBrand) this.groups.add(cells, layout)
    this.sink.skipped(row, isHeader ? 'REPEATED_HEADER' : result, cells)
  }

  private isHeader(cells: string[], layout: Layout): boolean {
    return this.headArticle !== '' && normalHeading(pick(cells, layout, 'article')) === this.headArticle
  }
}

/** Sums of the rows above. A row with an article is none: `TOTAL` is also a brand. */
function isTotalRow(cells: string[], layout: Layout): boolean {
  const article = pick(cells, layout, 'article')
  return (articleKey(article) === '' || isTotal(article)) && cells.some(isTotal)
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
