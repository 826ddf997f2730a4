import { PriceFileError } from '../price-file-error.js'
import type { RowLimits } from '../row-block.js'
import type { HtmlHandler } from './html-events.js'

/** Elements that begin a new line in a cell. */
const LINES = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'pre'])
const CELLS = new Set(['tr', 'td', 'th'])
const SECTIONS = new Set(['thead', 'tbody', 'tfoot', 'caption'])
/** Tables in tables whose rows are read; deeper ones are text of their cells. */
const MOST_NESTED = 32
/** HTML allows no more. */
const MOST_SPAN = 65_534
/** Rows after which a table is judged although it has not ended. */
const JUDGED_ROWS = 100
const EXPONENT = /^-?\d+([.,]\d+)?E[+-]?\d+$/i

interface Cell {
  text: string
  /** a piece of the text is more than white space; asking the whole text at each tag would take quadratic time */
  hasText: boolean
  /** the text ends with white space, or has not begun */
  isLineStart: boolean
  hasSpace: boolean
  column: number
  exact: string | undefined
}

interface Table {
  cell: Cell | undefined
  row: string[] | undefined
  /** characters of the row */
  length: number
  /** column of the next cell */
  column: number
  /** number of the current row in this table */
  count: number
  /** for each column the row from which on it is free of a cell that spans several rows */
  freeFrom: number[]
  /** the row contains rows of another table */
  holdsTable: boolean
  /** rows with text, and whether one of them has two cells with text */
  filled: number
  isWide: boolean
  hasPassword: boolean
}

/*
 * Makes rows of the tables of a page, one table after another: each tag changes the state of the innermost table, and a
 * missing end tag is implied by what follows, as in a browser. Time and memory do not depend on what is left open.
 * A table inside a cell is read as rows where it is all that its row has so far, as in pages that are laid out by
 * tables; elsewhere it is text of the cell.
 */
export class TableRows implements HtmlHandler {
  private readonly tables: Table[] = []
  /** tables that are open inside a cell as its text */
  private flat = 0
  private rows: string[][] = []
  private count = 0
  /** a table of data was seen: with several rows or columns, and without a field for a password */
  hasData = false

  constructor(private readonly limits: RowLimits) {}

  /** The rows that ended since the last call. */
  take(): string[][] {
    const { rows } = this
    this.rows = []
    return rows
  }

  /** Ends what was left open. */
  end(): void {
    this.flat = 0
    while (this.tables.length > 0) this.closeTable()
  }

  opened(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'table') return this.openTable()
    const table = this.tables.at(-1)
    if (!table) return
    if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password')
      for (const each of this.tables) each.hasPassword = true
    if (LINES.has(name)) breakLine(table)
    else if (this.flat > 0) return CELLS.has(name) ? breakCell(table) : undefined
    else if (name === 'tr') this.openRow(table)
    else if (name === 'td' || name === 'th') this.openCell(table, attributes)
    else if (SECTIONS.has(name)) this.endRow(table)
  }

  closed(name: string): void {
    const table = this.tables.at(-1)
    if (!table) return
    if (LINES.has(name)) breakLine(table)
    else if (name === 'table') this.closeTable()
    else if (this.flat > 0) return
    else if (name === 'tr' || SECTIONS.has(name)) this.endRow(table)
    else if (name === 'td' || name === 'th') this.endCell(table)
  }

  text(piece: string): void {
    const table = this.tables.at(-1)
    if (!table?.cell) return
    const { cell } = table
    const words = piece.replaceAll('\0', '').replace(/[ \t\n\f\r]+/g, ' ')
    const isBlank = words === '' || words === ' '
    if (isBlank) {
      if (words !== '' && !cell.isLineStart) cell.hasSpace = true
      return
    }
    const startsWithSpace = words.startsWith(' ')
    const endsWithSpace = words.endsWith(' ')
    const lead = !cell.isLineStart && (cell.hasSpace || startsWithSpace) ? ' ' : ''
    const added = lead + words.slice(startsWithSpace ? 1 : 0, endsWithSpace ? -1 : undefined)
    cell.text += added
    cell.hasText ||= added.trim() !== ''
    cell.isLineStart = false
    cell.hasSpace = endsWithSpace
    this.measure(table, added.length)
  }

  private measure(table: Table, length: number): void {
    table.length += length
    const { maxRowChars } = this.limits
    if (table.length <= maxRowChars) return
    const row = this.count + 1
    throw new PriceFileError('ROW_TOO_LONG', `Row ${row} is longer than ${maxRowChars} characters.`, row)
  }

  private openTable(): void {
    const outer = this.tables.at(-1)
    if (this.flat > 0 || this.tables.length >= MOST_NESTED || (outer?.cell && hasText(outer))) {
      this.flat += 1
      return
    }
    if (outer) outer.holdsTable = true
    this.tables.push({
      cell: undefined,
      row: undefined,
      length: 0,
      column: 0,
      count: 0,
      freeFrom: [],
      holdsTable: false,
      filled: 0,
      isWide: false,
      hasPassword: false,
    })
  }

  private closeTable(): void {
    const table = this.tables.at(-1)
    if (!table) return
    if (this.flat > 0) {
      this.flat -= 1
      return breakCell(table)
    }
    this.endRow(table)
    this.judge(table)
    this.tables.pop()
  }

  private judge({ hasPassword, filled, isWide }: Table): void {
    if (!hasPassword && (filled > 1 || isWide)) this.hasData = true
  }

  private openRow(table: Table): void {
    this.endRow(table)
    table.row = []
  }

  private endRow(table: Table): void {
    this.endCell(table)
    const { row, holdsTable } = table
    if (!row) return
    table.row = undefined
    table.length = 0
    table.column = 0
    table.count += 1
    table.holdsTable = false
    // a row that only lays out another table is none
    if (holdsTable && row.length === 0) return
    this.count += 1
    const { maxRows } = this.limits
    if (this.count > maxRows)
      throw new PriceFileError('TOO_MANY_ROWS', `The file has more than ${maxRows} rows.`, this.count)
    this.rows.push(row)
    if (row.length > 0) table.filled += 1
    if (row.length > 1 && row.filter((cell) => cell !== '').length > 1) table.isWide = true
    if (table.filled === JUDGED_ROWS) this.judge(table)
  }

  private openCell(table: Table, attributes: ReadonlyMap<string, string>): void {
    this.endCell(table)
    table.row ??= []
    const { freeFrom, count } = table
    const last = this.limits.maxColumns
    while (table.column <= last && (freeFrom[table.column] ?? 0) > count) table.column += 1
    const { column } = table
    const exact = attributes.get('x:num')
    table.cell = { text: '', hasText: false, isLineStart: true, hasSpace: false, column, exact }
    const end = Math.min(last + 1, column + span(attributes.get('colspan')))
    const rows = span(attributes.get('rowspan'))
    if (rows > 1) for (let at = column; at < end; at += 1) freeFrom[at] = count + rows
    table.column = Math.max(column, end)
  }

  /** A row with more cells than are read has one more than they, so that the caller can refuse it. */
  private endCell(table: Table): void {
    const { cell, row } = table
    table.cell = undefined
    if (!cell?.hasText || !row) return
    const column = Math.min(cell.column, this.limits.maxColumns)
    while (row.length < column) row.push('')
    if (row.length === column) row.push(cellText(cell))
  }
}

/** Whether the current row has text so far. */
function hasText({ cell, row = [] }: Table): boolean {
  return row.length > 0 || (cell?.hasText ?? false)
}

function breakLine({ cell }: Table): void {
  if (!cell || cell.isLineStart) return
  cell.text += '\n'
  cell.isLineStart = true
  cell.hasSpace = false
}

/** Cells of a table that is text are words. */
function breakCell({ cell }: Table): void {
  if (cell && !cell.isLineStart) cell.hasSpace = true
}

/** As it is shown, but a number whose digits only Excel's own attribute has. */
function cellText({ text, exact, isLineStart }: Cell): string {
  const shown = isLineStart ? text.slice(0, -1) : text
  return exact !== undefined && exact !== '' && EXPONENT.test(shown) ? exact : shown
}

/** Of columns or rows; 0 reaches to the last row. */
function span(value: string | undefined): number {
  const count = Number.parseInt(value ?? '1', 10)
  if (count === 0) return MOST_SPAN
  return count > 0 ? Math.min(count, MOST_SPAN) : 1
}
