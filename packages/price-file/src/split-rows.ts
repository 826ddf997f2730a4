import { PriceFileError } from './price-file-error.js'
import type { RowLimits } from './row-block.js'

/** Longest cell in quotes, as in Excel; a quote that is not closed within it is a letter. */
const MAX_QUOTED = 32_767
/** A quoted cell with more line ends than this is believed only if its lines do not look like rows. */
const TRUSTED_LINE_ENDS = 3

interface Field {
  value: string
  /** index behind the field: a delimiter, a line end, or the end of the text */
  end: number
}

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
  /** where the next delimiter of the block is, from the last look; -1 when there is none: long texts without one are searched once */
  private ahead = 0

  /** @param width number of cells of most rows, to tell a forgotten quote from a cell of many lines; 0 when not known */
  constructor(delimiter: string, width: number, limits: RowLimits) {
    this.delimiter = delimiter
    this.width = width
    this.limits = limits
  }

  /**
   * @param text the next block; line ends are `\n` or `\r\n`
   * @throws PriceFileError ROW_TOO_LONG, TOO_MANY_ROWS
   */
  push(block: string, isLast: boolean): string[][] {
    const text = this.rest === '' ? block : this.rest + block
    const rows: string[][] = []
    let position = 0
    let quote = text.indexOf('"')
    this.ahead = text.indexOf(this.delimiter)
    while (position < text.length) {
      const newline = text.indexOf('\n', position)
      if (newline === -1 && !isLast) break
      const lineEnd = newline === -1 ? text.length : newline
      if (quote !== -1 && quote < position) quote = text.indexOf('"', position)
      if (quote === -1 || quote >= lineEnd) {
        this.check(lineEnd - position)
        rows.push(this.plainRow(text, position, lineEnd))
        position = lineEnd + 1
      } else {
        const row: string[] = []
        const end = this.quotedRow(text, position, isLast, row)
        if (end === undefined) break
        this.check(end - position)
        rows.push(row)
        position = end + 1
      }
      this.count += 1
      if (this.count > this.limits.maxRows) {
        throw new PriceFileError('TOO_MANY_ROWS', `The file has more than ${this.limits.maxRows} rows.`, this.count)
      }
    }
    this.rest = text.slice(position)
    this.check(this.rest.length)
    return rows
  }

  private check(length: number): void {
    if (length > this.limits.maxRowChars) {
      throw new PriceFileError('ROW_TOO_LONG', `Row ${this.count + 1} is longer than ${this.limits.maxRowChars} characters.`, this.count + 1)
    }
  }

  /** By indexOf: twice as fast as cutting out the line and splitting it. */
  private plainRow(text: string, start: number, lineEnd: number): string[] {
    const end = trimReturn(text, start, lineEnd)
    const row: string[] = []
    let position = start
    let next = this.ahead
    if (next !== -1 && next < position) next = text.indexOf(this.delimiter, position)
    for (; next !== -1 && next < end; next = text.indexOf(this.delimiter, position)) {
      this.put(row, text, position, next)
      position = next + 1
    }
    this.ahead = next
    this.put(row, text, position, end)
    return row
  }

  /** Blank cells beyond the last column are no cells: sheets are saved with a delimiter for each column that was ever touched. */
  private put(row: string[], text: string, start: number, end: number): void {
    if (row.length < this.limits.maxColumns || (row.length === this.limits.maxColumns && end > start)) row.push(text.slice(start, end))
  }

  /** @returns index of the row's line end, or undefined when more text is needed to tell */
  private quotedRow(text: string, start: number, isLast: boolean, row: string[]): number | undefined {
    for (let position = start; ;) {
      const field = this.field(text, position, isLast)
      if (field === undefined) return undefined
      this.put(row, field.value, 0, field.value.length)
      if (text[field.end] !== this.delimiter) return text[field.end] === '\r' ? field.end + 1 : field.end
      position = field.end + 1
    }
  }

  private field(text: string, start: number, isLast: boolean): Field | undefined {
    if (text[start] !== '"') return this.plainField(text, start, isLast)
    const quoted = this.quotedField(text, start, isLast)
    if (quoted === 'unknown') return undefined
    return quoted ?? this.plainField(text, start, isLast)
  }

  private plainField(text: string, start: number, isLast: boolean): Field | undefined {
    const newline = text.indexOf('\n', start)
    if (newline === -1 && !isLast) return undefined
    const lineEnd = newline === -1 ? text.length : newline
    const delimiter = text.indexOf(this.delimiter, start)
    const isLastField = delimiter === -1 || delimiter > lineEnd
    const end = isLastField ? trimReturn(text, start, lineEnd) : delimiter
    return { value: text.slice(start, end), end }
  }

  /** @returns undefined when the quote is a letter, `unknown` when more text is needed to tell */
  private quotedField(text: string, start: number, isLast: boolean): Field | undefined | 'unknown' {
    let hasLooseQuote = false
    for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
      const reached = quote === -1 ? text.length : quote
      if (reached - start > MAX_QUOTED) return undefined
      if (quote === -1) return isLast ? undefined : 'unknown'
      if (quote + 2 >= text.length && !isLast) return 'unknown'
      if (text[quote + 1] === '"') {
        quote += 1
        continue
      }
      if (!this.endsField(text, quote + 1)) {
        hasLooseQuote = true
        continue
      }
      const inside = text.slice(start + 1, quote)
      if (this.isForgotten(inside, hasLooseQuote)) return undefined
      return { value: inside.replaceAll('""', '"'), end: quote + 1 }
    }
  }

  private endsField(text: string, index: number): boolean {
    const next = text[index]
    return next === undefined || next === this.delimiter || next === '\n' || (next === '\r' && (text[index + 1] === '\n' || text[index + 1] === undefined))
  }

  /** Was the opening quote a letter after all, so that `inside` swallowed other cells or rows? */
  private isForgotten(inside: string, hasLooseQuote: boolean): boolean {
    if (hasLooseQuote) return inside.includes(this.delimiter) || inside.includes('\n')
    const lines = inside.split('\n')
    if (this.width < 2 || lines.length <= TRUSTED_LINE_ENDS + 1) return false
    return lines.slice(1, -1).every((line) => line.split(this.delimiter).length === this.width)
  }
}

function trimReturn(text: string, start: number, end: number): number {
  return end > start && text[end - 1] === '\r' ? end - 1 : end
}
