import { PriceFileError } from './price-file-error.js'
import type { RowBlock, RowLimits } from './row-block.js'

/** Longest cell in quotes, as in Excel; a quote that is not closed within it is a letter. */
const MAX_QUOTED = 32_767
/** A quoted cell with more line ends than this is believed only if its lines do not look like rows. */
const TRUSTED_LINE_ENDS = 3
const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d

/** More text is needed to tell where something ends. */
const UNKNOWN = -1
/** The quote is a letter of its cell. */
const LETTER = -2

/*
 * Splits delimited text into rows, block by block: `rest` holds the start of a row whose end has not come yet.
 * empty → (push) rows out, rest kept → … → (push with isLast) rest read as the last row.
 *
 * What real price lists contain and libraries stumble over: a quote inside a cell (`disk 12" x`) is a letter; text behind
 * a closing quote (`"x" y`) makes both quotes letters; a quote that is never closed is a letter; short and long rows stay
 * rows of their own; line ends may be mixed.
 */
export class RowSplitter {
  private readonly delimiter: string
  private readonly width: number
  private readonly limits: RowLimits
  private rest = ''
  private count = 0
  /** where the next delimiter and the next line end of the block are, from the last look, or its length: each is searched once */
  private delimiterAt = 0
  private newlineAt = 0
  /** for each row the number of its cells, then start and end of each; the current row starts at `row` */
  private offsets = new Int32Array(16_384)
  private used = 0
  private row = 0
  /** cells whose text differs from the file's, behind the text of the block */
  private extra = ''

  /** @param width number of cells of most rows, to tell a forgotten quote from a cell of many lines; 0 when not known */
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
    this.delimiterAt = this.newlineAt = -1
    let position = 0
    let quote = indexOrEnd(text, '"', 0)
    while (position < text.length) {
      const lineEnd = this.newlineFrom(text, position)
      if (lineEnd === text.length && !isLast) break
      if (quote < position) quote = indexOrEnd(text, '"', position)
      this.row = this.used
      let end = lineEnd
      if (quote >= lineEnd) this.plainRow(text, position, lineEnd)
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
      // allocated at its final length: an array that grows takes three times the memory
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
   * Adds a cell to the row in work. Of those beyond the limit one is kept; blank ones there are no cells: sheets are saved with
   * a delimiter for each column that was ever touched.
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

  private plainRow(text: string, start: number, lineEnd: number): void {
    const end = trimReturn(text, start, lineEnd)
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

  /** @returns index behind the cell: a delimiter, a line end, or the end of the text; or UNKNOWN */
  private field(text: string, start: number, isLast: boolean): number {
    const end = text.charCodeAt(start) === QUOTE ? this.quotedField(text, start, isLast) : LETTER
    return end === LETTER ? this.plainField(text, start, isLast) : end
  }

  private plainField(text: string, start: number, isLast: boolean): number {
    const lineEnd = this.newlineFrom(text, start)
    if (lineEnd === text.length && !isLast) return UNKNOWN
    const delimiter = this.delimiterFrom(text, start)
    const end = delimiter < lineEnd ? delimiter : trimReturn(text, start, lineEnd)
    this.add(start, end)
    return end
  }

  /** @returns index behind the closing quote, UNKNOWN, or LETTER */
  private quotedField(text: string, start: number, isLast: boolean): number {
    let isLoose = false
    let isDoubled = false
    for (let quote = indexOrEnd(text, '"', start + 1); ; quote = indexOrEnd(text, '"', quote + 1)) {
      if (quote - start > MAX_QUOTED) return LETTER
      if (quote === text.length) return isLast ? LETTER : UNKNOWN
      // a quote inside and then other cells: whatever closes it later, it was none
      if (isLoose && (this.delimiterFrom(text, start) < quote || this.newlineFrom(text, start) < quote)) return LETTER
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
      if (!isLoose && this.isForgotten(text, start + 1, quote)) return LETTER
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

  /** Was the opening quote a letter after all, so that it swallowed other rows? */
  private isForgotten(text: string, start: number, end: number): boolean {
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
