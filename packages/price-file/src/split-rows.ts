import { PriceFileError } from './price-file-error.js'
import type { RowBlock, RowLimits } from './row-block.js'

/** Longest quoted cell, as in Excel. A quote that is not closed within this length is an ordinary character. */
const MAX_QUOTED = 32_767
/** A quoted cell with more line ends than this is accepted only if its lines do not look like rows. */
const TRUSTED_LINE_ENDS = 3
const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d

/** The end is beyond the text read so far. */
const UNKNOWN = -1
/** The quote is an ordinary character of its cell. */
const ORDINARY = -2

/*
 * Splits delimited text into rows, block by block: `rest` is the start of a row that continues in the next block.
 * Empty → (push) rows returned, rest buffered → … → (push with isLast) rest read as the last row.
 *
 * Libraries fail on real price lists with such cells: a quote inside a cell (`disk 12" x`) is an ordinary character;
 * text after a closing quote (`"x" y`) makes both quotes ordinary; so is a quote that is never closed. Rows may have
 * different lengths, and line ends may be mixed.
 */
export class RowSplitter {
  private readonly delimiter: string
  private readonly width: number
  private readonly limits: RowLimits
  private rest = ''
  private count = 0
  /** offsets of the next ones, or the length of the block; cached, so that each is searched once */
  private delimiterAt = 0
  private newlineAt = 0
  private returnAt = 0
  /** for each row the number of its cells, then start and end of each cell; the current row starts at `row` */
  private offsets = new Int32Array(16_384)
  private used = 0
  private row = 0
  /** unescaped text of quoted cells, appended to the text of the block */
  private extra = ''

  /**
   * @param width number of cells of most rows, to distinguish an unclosed quote from a multi-line cell; 0 if unknown
   */
  constructor(delimiter: string, width: number, limits: RowLimits) {
    this.delimiter = delimiter
    this.width = width
    this.limits = limits
  }

  /**
   * @param block the next text; line ends are `\n` or `\r\n`
   * @throws PriceFileError ROW_TOO_LONG, TOO_MANY_ROWS
   */
  push(block: string, isLast: boolean): RowBlock {
    const text = this.rest === '' ? block : this.rest + block
    const before = this.count
    this.used = 0
    this.extra = ''
    this.delimiterAt = this.newlineAt = this.returnAt = -1
    let position = 0
    let quote = indexOrEnd(text, '"', 0)
    while (position < text.length) {
      const lineEnd = this.newlineFrom(text, position)
      if (lineEnd === text.length && !isLast) break
      if (quote < position) quote = indexOrEnd(text, '"', position)
      this.row = this.used
      let end = lineEnd
      if (quote >= lineEnd) this.plainRows(text, position, lineEnd)
      else end = this.quotedRow(text, position, isLast)
      if (end === UNKNOWN) break
      this.check(end - position)
      position = end + 1
      this.count += 1
      if (this.count > this.limits.maxRows) {
        throw new PriceFileError('TOO_MANY_ROWS', `The file has more than ${this.limits.maxRows} rows.`, this.count)
      }
    }
    this.rest = text.slice(position)
    this.check(this.rest.length)
    return { first: before + 1, rows: this.cutRows(this.extra === '' ? text : text + this.extra, this.count - before) }
  }

  private cutRows(text: string, count: number): string[][] {
    const { offsets } = this
    const rows = Array<string[]>(count)
    let at = 0
    for (let row = 0; row < count; row += 1) {
      const width = offsets[at] ?? 0
      at += 1
      // allocated at its final length, because a growing array uses three times the memory
      const cells = Array<string>(width)
      for (let cell = 0; cell < width; cell += 1) {
        cells[cell] = text.substring(offsets[at] ?? 0, offsets[at + 1] ?? 0)
        at += 2
      }
      rows[row] = cells
    }
    return rows
  }

  private check(length: number): void {
    if (length > this.limits.maxRowChars) {
      throw new PriceFileError(
        'ROW_TOO_LONG',
        `Row ${this.count + 1} is longer than ${this.limits.maxRowChars} characters.`,
        this.count + 1,
      )
    }
  }

  private newlineFrom(text: string, position: number): number {
    if (this.newlineAt < position) this.newlineAt = indexOrEnd(text, '\n', position)
    return this.newlineAt
  }

  private delimiterFrom(text: string, position: number): number {
    if (this.delimiterAt < position) this.delimiterAt = indexOrEnd(text, this.delimiter, position)
    return this.delimiterAt
  }

  /**
   * Adds a cell to the current row. Beyond the limit only one cell is stored, and blank ones are ignored: spreadsheets
   * write a delimiter for each column that was ever used.
   */
  private add(start: number, end: number): void {
    if (this.used === this.row) this.used += 1
    const over = this.used - this.row - 1 - 2 * this.limits.maxColumns
    if (over > 0 || (over === 0 && start === end)) return
    if (this.used + 2 > this.offsets.length) {
      const larger = new Int32Array(this.offsets.length * 2)
      larger.set(this.offsets)
      this.offsets = larger
    }
    this.offsets[this.used] = start
    this.offsets[this.used + 1] = end
    this.used += 2
  }

  private endRow(): void {
    this.offsets[this.row] = (this.used - this.row) >> 1
  }

  private returnFrom(text: string, position: number): number {
    if (this.returnAt < position) this.returnAt = indexOrEnd(text, '\r', position)
    return this.returnAt
  }

  /**
   * A line without quotes: one row, or several that single carriage returns separate, as in files that were joined from
   * others. Elsewhere a carriage return is an ordinary character.
   */
  private plainRows(text: string, start: number, lineEnd: number): void {
    const end = trimReturn(text, start, lineEnd)
    let position = start
    if (this.width > 1 && this.returnFrom(text, start) < end) {
      const rows = text.slice(start, end).split('\r')
      if (rows.every((row) => row.split(this.delimiter).length === this.width)) {
        for (const row of rows.slice(0, -1)) {
          this.plainRow(text, position, position + row.length)
          this.row = this.used
          this.count += 1
          position += row.length + 1
        }
      }
    }
    this.plainRow(text, position, end)
  }

  private plainRow(text: string, start: number, end: number): void {
    let position = start
    for (let next = this.delimiterFrom(text, position); next < end; next = this.delimiterFrom(text, position)) {
      this.add(position, next)
      position = next + 1
    }
    this.add(position, end)
    this.endRow()
  }

  /** @returns index of the row's line end, or UNKNOWN */
  private quotedRow(text: string, start: number, isLast: boolean): number {
    for (let position = start; ;) {
      const end = this.field(text, position, isLast)
      if (end === UNKNOWN) {
        this.used = this.row
        return UNKNOWN
      }
      if (text[end] !== this.delimiter) {
        this.endRow()
        return text.charCodeAt(end) === RETURN ? end + 1 : end
      }
      position = end + 1
    }
  }

  /** @returns index after the cell (a delimiter, a line end, or the end of the text), or UNKNOWN */
  private field(text: string, start: number, isLast: boolean): number {
    const end = text.charCodeAt(start) === QUOTE ? this.quotedField(text, start, isLast) : ORDINARY
    return end === ORDINARY ? this.plainField(text, start, isLast) : end
  }

  private plainField(text: string, start: number, isLast: boolean): number {
    const lineEnd = this.newlineFrom(text, start)
    if (lineEnd === text.length && !isLast) return UNKNOWN
    const delimiter = this.delimiterFrom(text, start)
    const end = delimiter < lineEnd ? delimiter : trimReturn(text, start, lineEnd)
    this.add(start, end)
    return end
  }

  /** @returns index after the closing quote, UNKNOWN, or ORDINARY */
  private quotedField(text: string, start: number, isLast: boolean): number {
    let isLoose = false
    let isDoubled = false
    for (let quote = indexOrEnd(text, '"', start + 1); ; quote = indexOrEnd(text, '"', quote + 1)) {
      if (quote - start > MAX_QUOTED) return ORDINARY
      if (quote === text.length) return isLast ? ORDINARY : UNKNOWN
      // a quote inside, followed by other cells: the opening quote is an ordinary character
      if (isLoose && (this.delimiterFrom(text, start) < quote || this.newlineFrom(text, start) < quote)) return ORDINARY
      if (quote + 2 >= text.length && !isLast) return UNKNOWN
      if (text.charCodeAt(quote + 1) === QUOTE) {
        isDoubled = true
        quote += 1
        continue
      }
      if (!this.endsField(text, quote + 1)) {
        isLoose = true
        continue
      }
      if (!isLoose && this.isUnclosed(text, start + 1, quote)) return ORDINARY
      if (isDoubled) this.addText(text, text.slice(start + 1, quote).replaceAll('""', '"'))
      else this.add(start + 1, quote)
      return quote + 1
    }
  }

  private addText(text: string, cell: string): void {
    const start = text.length + this.extra.length
    this.extra += cell
    this.add(start, start + cell.length)
  }

  private endsField(text: string, index: number): boolean {
    if (index >= text.length || text[index] === this.delimiter) return true
    const next = text.charCodeAt(index)
    return next === NEWLINE || (next === RETURN && (index + 1 >= text.length || text.charCodeAt(index + 1) === NEWLINE))
  }

  /** Whether the opening quote is an ordinary character, so that the cell would swallow other rows. */
  private isUnclosed(text: string, start: number, end: number): boolean {
    if (this.width < 2 || this.newlineFrom(text, start) >= end) return false
    const lines = text.slice(start, end).split('\n')
    if (lines.length <= TRUSTED_LINE_ENDS + 1) return false
    return lines.slice(1, -1).every((line) => line.split(this.delimiter).length === this.width)
  }
}

/** Index of the next `char`, or the length of the text. */
function indexOrEnd(text: string, char: string, position: number): number {
  const index = text.indexOf(char, position)
  return index === -1 ? text.length : index
}

function trimReturn(text: string, start: number, end: number): number {
  return end > start && text.charCodeAt(end - 1) === RETURN ? end - 1 : end
}
