import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import type { RowBlock, RowLimits } from '../row-block.js'
import { MOST_ROWS, rowOutOfRange } from '../sheet-range.js'
import { wholeElements } from './scan-elements.js'
import { ROW_END, SheetCells, type SheetSetting } from './sheet-cells.js'
import { endsName, GREATER, LESS, SLASH, startsAt } from './xml-bytes.js'
import { attribute } from './xml-text.js'

const ROW = Buffer.from('<row')
const ROW_NUMBER = Buffer.from(' r="')
const QUOTE = 0x22
const LETTER_C = 0x63

/**
 * Scans a sheet's rows without building a document. Rows missing in the sheet are missing here: a block ends before a
 * gap, and `first` of the next one is the row after it.
 * @throws PriceFileError TOO_MANY_ROWS, ROW_TOO_LONG, DAMAGED
 */
export async function* sheetRows(part: Readable, setting: SheetSetting, limits: RowLimits): AsyncGenerator<RowBlock> {
  const scanner = new SheetScanner(setting, limits)
  for await (const piece of wholeElements(part, 'worksheet', 'row')) yield* scanner.blocks(piece)
}

class SheetScanner {
  private readonly limits: RowLimits
  private readonly cells: SheetCells
  /** the current row; reused for each row */
  private readonly row: string[] = []
  private number = 0
  private count = 0
  private bytes: Buffer = Buffer.alloc(0)

  constructor(setting: SheetSetting, limits: RowLimits) {
    this.limits = limits
    this.cells = new SheetCells(setting)
  }

  /** @param bytes complete rows with the XML before and after them */
  *blocks(bytes: Buffer): Generator<RowBlock> {
    this.bytes = bytes
    this.cells.open(bytes)
    let block: RowBlock | undefined
    for (let at = this.nextRow(0); at !== -1;) {
      let tagEnd = at
      while (tagEnd < bytes.length && bytes[tagEnd] !== GREATER) tagEnd += 1
      if (tagEnd === bytes.length) break
      this.number = this.rowNumber(at, tagEnd)
      this.count += 1
      if (this.count > this.limits.maxRows)
        throw new PriceFileError('TOO_MANY_ROWS', `The sheet has more than ${this.limits.maxRows} rows.`, this.number)
      let end = tagEnd + 1
      const width = bytes[tagEnd - 1] === SLASH ? 0 : this.readRow(end)
      if (bytes[tagEnd - 1] !== SLASH) end = this.cells.end
      if (block && this.number !== block.first + block.rows.length) {
        yield block
        block = undefined
      }
      block ??= { first: this.number, rows: [] }
      block.rows.push(this.row.slice(0, width))
      at = this.nextRow(end)
    }
    if (block) yield block
  }

  private nextRow(from: number): number {
    let at = startsAt(this.bytes, from, ROW) ? from : this.bytes.indexOf(ROW, from)
    while (at !== -1 && !endsName(this.bytes[at + ROW.length])) at = this.bytes.indexOf(ROW, at + 1)
    return at
  }

  /**
   * The row's own number; without one, or with one that is not above the row before, the next number.
   * @throws PriceFileError DAMAGED when the number is outside the range of Excel
   */
  private rowNumber(at: number, tagEnd: number): number {
    let own = 0
    if (startsAt(this.bytes, at + ROW.length, ROW_NUMBER)) {
      let index = at + ROW.length + ROW_NUMBER.length
      for (let byte = this.bytes[index] ?? 0; byte >= 0x30 && byte <= 0x39; byte = this.bytes[++index] ?? 0)
        own = own * 10 + byte - 0x30
      if (this.bytes[index] !== QUOTE) own = 0
    }
    if (own === 0) {
      const text = attribute(this.bytes.toString('latin1', at, tagEnd), 'r')
      if (text === undefined) return this.number + 1
      own = Number(text)
    }
    if (!Number.isInteger(own) || own < 1 || own > MOST_ROWS) throw rowOutOfRange()
    return own > this.number ? own : this.number + 1
  }

  /**
   * Reads the cells after a row's start tag into `row`.
   * @returns number of cells up to the last that is not blank, at most one more than the limit
   */
  private readRow(start: number): number {
    const { bytes, row, cells } = this
    const { maxColumns } = this.limits
    let width = 0
    let column = -1
    cells.end = start
    for (;;) {
      let at = cells.end
      while (bytes[at] !== LESS && at < bytes.length) at += 1
      if (bytes[at + 1] === LETTER_C && endsName(bytes[at + 2])) {
        const text = cells.read(at, column + 1)
        column = cells.column
        if (text === '') continue
        while (width < column && width <= maxColumns) row[width++] = ''
        if (column >= maxColumns) {
          cells.end = bytes.indexOf(ROW_END, cells.end) + ROW_END.length
          if (cells.end < ROW_END.length) throw this.breaksOff()
          return width
        }
        row[column] = text
        if (column === width) width += 1
      } else if (bytes[at + 1] === SLASH && startsAt(bytes, at, ROW_END)) {
        cells.end = at + ROW_END.length
        return width
      } else if (at >= bytes.length) {
        throw this.breaksOff()
      } else {
        cells.end = at + 1
      }
    }
  }

  private breaksOff(): PriceFileError {
    return new PriceFileError('DAMAGED', `The sheet breaks off in row ${this.number}.`, this.number)
  }
}
