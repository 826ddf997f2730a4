import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import type { RowBlock, RowLimits } from '../row-block.js'
import { type CellFormat, showNumber } from './cell-format.js'
import { wholeElements } from './scan-elements.js'
import { stringText } from './shared-strings.js'
import { attribute, decodeXmlText, prefixOf } from './xml-text.js'

/** What cells refer to. */
export interface SheetSetting {
  strings: readonly string[]
  formats: readonly CellFormat[]
  is1904: boolean
}

/**
 * Scans a sheet's rows without building a document. Rows that the sheet leaves out are left out: a block ends before
 * a gap and the next one says where it starts.
 * @throws PriceFileError TOO_MANY_ROWS, ROW_TOO_LONG, DAMAGED
 */
export async function* sheetRows(part: Readable, setting: SheetSetting, limits: RowLimits): AsyncGenerator<RowBlock> {
  const scanner = { prefix: '', number: 0, count: 0 }
  const pieces = wholeElements(part, (head) => {
    scanner.prefix = prefixOf(head, 'worksheet')
    return `</${scanner.prefix}row>`
  })
  for await (const piece of pieces) yield* blocksOf(piece, scanner, setting, limits)
}

function* blocksOf(
  xml: string, scanner: { prefix: string; number: number; count: number }, setting: SheetSetting, limits: RowLimits,
): Generator<RowBlock> {
  const open = `<${scanner.prefix}row`
  const close = `</${scanner.prefix}row>`
  let block: RowBlock | undefined
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at + 1)) {
    if (!isTagEnd(xml.charCodeAt(at + open.length))) continue
    const tagEnd = xml.indexOf('>', at)
    if (tagEnd === -1) break
    const isEmpty = xml[tagEnd - 1] === '/'
    const end = isEmpty ? tagEnd : xml.indexOf(close, tagEnd)
    if (end === -1) throw new PriceFileError('DAMAGED', `The sheet breaks off in row ${scanner.number + 1}.`, scanner.number + 1)
    scanner.number = rowNumber(xml.slice(at, tagEnd), scanner.number)
    scanner.count += 1
    if (scanner.count > limits.maxRows) throw new PriceFileError('TOO_MANY_ROWS', `The sheet has more than ${limits.maxRows} rows.`, scanner.number)
    const row = isEmpty ? [] : readRow(xml, tagEnd + 1, end, scanner.prefix, setting, limits.maxColumns)
    if (block && scanner.number !== block.first + block.rows.length) {
      yield block
      block = undefined
    }
    block ??= { first: scanner.number, rows: [] }
    block.rows.push(row)
    at = end
  }
  if (block) yield block
}

/** The row's own number, or the one behind the row before when it has none or an impossible one. */
function rowNumber(tag: string, before: number): number {
  const own = Number(attribute(tag, 'r'))
  return Number.isInteger(own) && own > before && own <= 1_048_576 ? own : before + 1
}

function isTagEnd(code: number): boolean {
  return code === 0x3e || code === 0x20 || code === 0x2f || code === 0x0a || code === 0x0d || code === 0x09
}

function readRow(xml: string, start: number, end: number, prefix: string, setting: SheetSetting, maxColumns: number): string[] {
  const open = `<${prefix}c`
  const close = `</${prefix}c>`
  const row: string[] = []
  for (let at = xml.indexOf(open, start); at !== -1 && at < end;) {
    if (!isTagEnd(xml.charCodeAt(at + open.length))) {
      at = xml.indexOf(open, at + open.length)
      continue
    }
    const tagEnd = xml.indexOf('>', at)
    const isEmpty = xml[tagEnd - 1] === '/'
    const cellEnd = isEmpty ? tagEnd : xml.indexOf(close, tagEnd)
    if (tagEnd === -1 || cellEnd === -1 || cellEnd > end) throw new PriceFileError('DAMAGED', 'A row of the sheet breaks off.')
    const tag = xml.slice(at, tagEnd)
    const column = columnOf(attribute(tag, 'r'), row.length)
    const text = isEmpty ? '' : cellText(tag, xml.slice(tagEnd + 1, cellEnd), prefix, setting)
    if (column >= maxColumns && text !== '') {
      while (row.length <= maxColumns) row.push('')
      return row
    }
    if (text !== '') {
      while (row.length < column) row.push('')
      row[column] = text
    }
    at = xml.indexOf(open, cellEnd)
  }
  return row
}

/** `AB12` → 27; without a reference the next column. */
function columnOf(reference: string | undefined, next: number): number {
  if (reference === undefined) return next
  let column = 0
  for (let index = 0; index < reference.length; index += 1) {
    const code = reference.charCodeAt(index) & ~0x20
    if (code < 0x41 || code > 0x5a) break
    column = column * 26 + (code - 0x40)
  }
  return column === 0 ? next : column - 1
}

function cellText(tag: string, inside: string, prefix: string, setting: SheetSetting): string {
  const type = attribute(tag, 't') ?? 'n'
  if (type === 'inlineStr') return stringText(inside, prefix)
  const value = valueOf(inside, prefix)
  switch (type) {
    case 's': return setting.strings[Number(value)] ?? ''
    case 'n': return showNumber(value, setting.formats[Number(attribute(tag, 's') ?? 0)], setting.is1904)
    case 'b': return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    default: return decodeXmlText(value)
  }
}

function valueOf(inside: string, prefix: string): string {
  const open = inside.indexOf(`<${prefix}v`)
  if (open === -1) return ''
  const start = inside.indexOf('>', open) + 1
  const end = inside.indexOf(`</${prefix}v>`, start)
  return end === -1 ? '' : inside.slice(start, end)
}
