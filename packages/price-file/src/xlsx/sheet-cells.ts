import { PriceFileError } from '../price-file-error.js'
import { columnOutOfRange, MOST_COLUMNS } from '../sheet-range.js'
import { type CellFormat, showNumber } from './cell-format.js'
import { type SharedStrings, stringText } from './shared-strings.js'
import { GREATER, isSpace, LESS, SLASH, startsAt } from './xml-bytes.js'
import { attribute, decodeXmlText } from './xml-text.js'

/** The parts of the workbook that cells refer to. */
export interface SheetSetting {
  strings: SharedStrings
  formats: readonly CellFormat[]
  is1904: boolean
}

const VALUE = Buffer.from('<v>')
const VALUE_END = Buffer.from('</v></c>')
const INLINE = Buffer.from('<is><t>')
const INLINE_END = Buffer.from('</t></is></c>')
const CELL_END = Buffer.from('</c>')
/** Position after the cells of a row. */
export const ROW_END = Buffer.from('</row>')

const EQUALS = 0x3d
const QUOTE = 0x22
const APOSTROPHE = 0x27
const DOT = 0x2e
const LETTER_R = 0x72
const LETTER_S = 0x73
const LETTER_T = 0x74
const MOST_DIGITS = 15

type CellType = 'number' | 'shared' | 'inline' | 'other'

/*
 * Reads the cells of a sheet from the bytes of its XML. Cells as Excel and common libraries write them are read in one
 * pass, byte by byte; others (formulas, rich text, booleans, spaces between tags) are extracted and read as text.
 */
export class SheetCells {
  private readonly setting: SheetSetting
  private bytes: Buffer = Buffer.alloc(0)
  private type: CellType = 'number'
  private style = 0
  /** the next end of a row, if it was found already */
  private rowEnd = -1
  /** of the cell that was read last */
  column = 0
  /** index after the last byte that was read; after a cell, its end */
  end = 0

  constructor(setting: SheetSetting) {
    this.setting = setting
  }

  /** @param bytes whole rows */
  open(bytes: Buffer): void {
    this.bytes = bytes
    this.rowEnd = -1
  }

  /**
   * @param at index of the cell's start tag
   * @param next column of a cell without a reference
   * @throws PriceFileError DAMAGED when it does not end
   */
  read(at: number, next: number): string {
    const tagEnd = this.readTag(at, next)
    this.end = tagEnd + 1
    if (this.bytes[tagEnd - 1] === SLASH) return ''
    const text =
      this.type === 'shared'
        ? this.shared(tagEnd + 1)
        : this.type === 'number'
          ? this.number(tagEnd + 1)
          : this.type === 'inline'
            ? this.inline(tagEnd + 1)
            : undefined
    return text ?? this.other(at, tagEnd)
  }

  /** Finds column, style and type. @returns index of the tag's end */
  private readTag(start: number, next: number): number {
    const { bytes } = this
    this.column = next
    this.style = 0
    this.type = 'number'
    let at = start + 2
    for (; bytes[at] !== GREATER; at += 1) {
      if (at >= bytes.length) throw new PriceFileError('DAMAGED', 'A row of the sheet breaks off.')
      const quote = bytes[at + 3]
      if (bytes[at + 2] !== EQUALS || !isSpace(bytes[at]) || (quote !== QUOTE && quote !== APOSTROPHE)) continue
      const name = bytes[at + 1]
      at += 4
      if (name === LETTER_R) this.column = this.columnAt(at, next)
      else if (name === LETTER_S) this.style = this.digitsAt(at)
      else if (name === LETTER_T) this.type = this.typeAt(at, quote)
      while (bytes[at] !== quote && bytes[at + 1] !== GREATER && at < bytes.length) at += 1
    }
    return at
  }

  /** `AB12` → 27; without letters the next column. @throws PriceFileError DAMAGED when the column is beyond XFD */
  private columnAt(start: number, next: number): number {
    let column = 0
    for (let at = start; ; at += 1) {
      const letter = (this.bytes[at] ?? 0) & ~0x20
      if (letter < 0x41 || letter > 0x5a) return column === 0 ? next : column - 1
      column = column * 26 + (letter - 0x40)
      if (column > MOST_COLUMNS) throw columnOutOfRange()
    }
  }

  private digitsAt(start: number): number {
    let number = 0
    let at = start
    for (let byte = this.bytes[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = this.bytes[++at] ?? 0)
      number = number * 10 + byte - 0x30
    this.end = at
    return number
  }

  private typeAt(at: number, quote: number): CellType {
    const first = this.bytes[at]
    if (this.bytes[at + 1] === quote) return first === LETTER_S ? 'shared' : first === 0x6e ? 'number' : 'other'
    return first === 0x69 ? 'inline' : 'other'
  }

  /** @returns undefined when it is written in another way */
  private shared(start: number): string | undefined {
    const { bytes } = this
    if (!startsAt(bytes, start, VALUE)) return undefined
    const index = this.digitsAt(start + VALUE.length)
    if (this.end === start + VALUE.length || !startsAt(bytes, this.end, VALUE_END)) return undefined
    this.end += VALUE_END.length
    return this.setting.strings.get(index) ?? ''
  }

  /** @returns undefined when it is written in another way */
  private number(start: number): string | undefined {
    const { bytes } = this
    if (!startsAt(bytes, start, VALUE)) return undefined
    const from = start + VALUE.length
    let at = from
    let digits = 0
    let dot = -1
    let whole = 0
    for (let byte = bytes[at]; byte !== LESS; byte = bytes[++at]) {
      if (byte === undefined || byte >= 0x80) return undefined
      if (byte >= 0x30 && byte <= 0x39) {
        digits += 1
        whole = whole * 10 + byte - 0x30
      } else if (byte === DOT && dot === -1) dot = at
      else digits += MOST_DIGITS + 1
    }
    if (!startsAt(bytes, at, VALUE_END)) return undefined
    this.end = at + VALUE_END.length
    const format = this.setting.formats[this.style]
    const isPlain = format === undefined || format.kind === 'plain'
    const isShortest = isPlain && digits > 0 && digits <= MOST_DIGITS && this.isShortest(from, at, dot)
    // most numbers are small, and the engine caches their texts
    if (isShortest && dot === -1) return String(whole)
    const raw = bytes.toString('latin1', from, at)
    return isShortest ? raw : showNumber(raw, format, this.setting.is1904)
  }

  /** Whether a number with an optional dot is in canonical form, without redundant zeros. */
  private isShortest(from: number, end: number, dot: number): boolean {
    const last = this.bytes[end - 1]
    const isTight = this.bytes[from] !== 0x30 || end === from + 1 || dot === from + 1
    return isTight && dot !== from && (dot === -1 || (last !== 0x30 && last !== DOT))
  }

  /** @returns undefined when it is written in another way */
  private inline(start: number): string | undefined {
    const { bytes } = this
    if (!startsAt(bytes, start, INLINE)) return undefined
    const from = start + INLINE.length
    let at = from
    while (at < bytes.length && bytes[at] !== LESS) at += 1
    if (!startsAt(bytes, at, INLINE_END)) return undefined
    this.end = at + INLINE_END.length
    return decodeXmlText(bytes.toString('utf8', from, at))
  }

  private other(at: number, tagEnd: number): string {
    const end = this.bytes.indexOf(CELL_END, tagEnd)
    if (this.rowEnd < tagEnd) this.rowEnd = this.bytes.indexOf(ROW_END, tagEnd)
    if (end === -1 || this.rowEnd === -1 || end > this.rowEnd)
      throw new PriceFileError('DAMAGED', 'A row of the sheet breaks off.')
    this.end = end + CELL_END.length
    return this.cellText(this.bytes.toString('latin1', at, tagEnd), this.bytes.toString('utf8', tagEnd + 1, end))
  }

  private cellText(tag: string, inside: string): string {
    const { strings, formats, is1904 } = this.setting
    const type = attribute(tag, 't') ?? 'n'
    if (type === 'inlineStr') return stringText(inside)
    const value = readValue(inside)
    switch (type) {
      case 's':
        return (value === '' ? undefined : strings.get(Number(value))) ?? ''
      case 'n':
        return showNumber(value, formats[Number(attribute(tag, 's') ?? 0)], is1904)
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
      default:
        return decodeXmlText(value)
    }
  }
}

function readValue(inside: string): string {
  const open = inside.indexOf('<v')
  if (open === -1) return ''
  const start = inside.indexOf('>', open) + 1
  const end = inside.indexOf('</v>', start)
  return end === -1 ? '' : inside.slice(start, end)
}
