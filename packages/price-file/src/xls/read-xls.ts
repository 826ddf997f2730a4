import { readFile } from 'node:fs/promises'
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs'
import { read, set_cptable, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { PriceFileError } from '../price-file-error.js'
import { NO_DATA, numberSheets } from '../number-sheets.js'
import { ALL_SHEETS, defaultRowLimits, type RowBlock, type RowLimits, type SheetCount } from '../row-block.js'
import { columnOutOfRange, MOST_COLUMNS, MOST_ROWS, rowOutOfRange } from '../sheet-range.js'
import { cellFormat, showNumber } from '../xlsx/cell-format.js'
import { requireFewLinkedCells } from './linked-cells.js'
import { markupText } from './markup-text.js'

set_cptable(codePages)

const ROWS_A_BLOCK = 1_000
/** Old files of Russian systems do not name their code page. */
const ASSUMED_CODE_PAGE = 1251
/** First byte of the container of BIFF files; other files are XML. */
const OLE_BYTE = 0xd0
const COLUMN_SPAN = /<(?:[\w.-]+:)?column\b[^<>]*\bSpan=["']([^"']*)/gi

export interface XlsRows {
  /** null when all sheets are read */
  sheet: string | null
  /** the names of all sheets */
  sheets: string[]
  blocks: AsyncGenerator<RowBlock>
}

/**
 * Reads sheets of a BIFF5 or BIFF8 workbook, or an XML 2003 workbook. The whole file is held in
 * memory, since such files have at most 65,536 rows. To be used in the reader process only.
 * @throws PriceFileError DAMAGED, ENCRYPTED, NO_SHEET, TOO_MANY_ROWS
 */
export async function readXls(
  path: string,
  options: { sheet?: string | number; limits?: Partial<RowLimits> } = {},
): Promise<XlsRows> {
  const limits = { ...defaultRowLimits, ...options.limits }
  const book = readBook(await readFile(path))
  const is1904 = book.Workbook?.WBProps?.date1904 === true
  if (options.sheet === ALL_SHEETS) {
    const rows = numberSheets(
      visibleSheets(book).map((name) => ({ name })),
      ({ name }) => sheetBlocks(book, name, is1904, limits),
    )
    return { sheet: null, sheets: book.SheetNames, blocks: rows }
  }
  const name = chooseSheet(book, options.sheet ?? 'auto')
  return { sheet: name, sheets: book.SheetNames, blocks: sheetBlocks(book, name, is1904, limits) }
}

/** Counts the rows of all sheets. @throws PriceFileError */
export async function countXlsSheets(path: string): Promise<SheetCount[]> {
  const book = readBook(await readFile(path))
  const visible = new Set(visibleSheets(book))
  return book.SheetNames.map((name) => ({
    name,
    isVisible: visible.has(name),
    rows: sheetData(book.Sheets[name] ?? {}).reduce((count, row) => count + (hasText(row) ? 1 : 0), 0),
  }))
}

function sheetBlocks(book: WorkBook, name: string, is1904: boolean, limits: RowLimits): AsyncGenerator<RowBlock> {
  const sheet = book.Sheets[name]
  if (!sheet) throw new PriceFileError('NO_SHEET', `The workbook has no sheet "${name}".`)
  const rows = sheetData(sheet)
  if (rows.length > limits.maxRows)
    throw new PriceFileError('TOO_MANY_ROWS', `The sheet has more than ${limits.maxRows} rows.`)
  return blocks(rows, is1904, limits.maxColumns)
}

function visibleSheets(book: WorkBook): string[] {
  const states = book.Workbook?.Sheets ?? []
  return book.SheetNames.filter((_, index) => (states[index]?.Hidden ?? 0) === 0)
}

function hasText(row: Row): boolean {
  return row?.some((cell) => cell?.v !== undefined && String(cell.v).trim() !== '') ?? false
}

/**
 * The rows and cells of a sheet are sparse arrays: a number in a file of a few bytes makes them long. They are measured
 * before anything loops over them.
 */
function readBook(bytes: Buffer): WorkBook {
  const book = parse(bytes)
  for (const sheet of Object.values(book.Sheets)) {
    const rows = sheetData(sheet)
    if (rows.length > MOST_ROWS) throw rowOutOfRange()
    for (const row of rows) if (row && row.length > MOST_COLUMNS) throw columnOutOfRange()
  }
  return book
}

function parse(bytes: Buffer): WorkBook {
  try {
    const options = { dense: true, cellNF: true, cellHTML: false, raw: true }
    if (bytes[0] === OLE_BYTE) requireFewLinkedCells(bytes)
    return bytes[0] === OLE_BYTE
      ? read(bytes, { ...options, type: 'buffer', codepage: ASSUMED_CODE_PAGE })
      : read(requireSpans(markupText(bytes)), { ...options, type: 'string' })
  } catch (error) {
    if (error instanceof PriceFileError) throw error
    const text = error instanceof Error ? error.message : ''
    if (/password/i.test(text))
      throw new PriceFileError('ENCRYPTED', 'The workbook is protected by a password.', undefined, error)
    throw new PriceFileError('DAMAGED', 'The workbook is damaged.', undefined, error)
  }
}

/** The library makes an object for each column that the format of one spans. */
function requireSpans(text: string): string {
  for (const [, columns] of text.matchAll(COLUMN_SPAN)) if (Number(columns) > MOST_COLUMNS) throw columnOutOfRange()
  return text
}

type Row = ReadonlyArray<CellObject | undefined> | undefined

function sheetData(sheet: WorkSheet): readonly Row[] {
  return (sheet['!data'] ?? []) as readonly Row[]
}

function chooseSheet(book: WorkBook, wanted: string | number): string {
  if (wanted === 'auto') {
    const found = visibleSheets(book).find((name) => sheetData(book.Sheets[name] ?? {}).some(hasText))
    if (found === undefined) throw new PriceFileError('NO_SHEET', NO_DATA)
    return found
  }
  const name =
    typeof wanted === 'number'
      ? book.SheetNames[wanted - 1]
      : book.SheetNames.find((one) => one.trim() === wanted.trim())
  if (name === undefined)
    throw new PriceFileError(
      'NO_SHEET',
      `The workbook has no sheet ${typeof wanted === 'number' ? `number ${wanted}` : `"${wanted}"`}.`,
    )
  return name
}

async function* blocks(rows: readonly Row[], is1904: boolean, maxColumns: number): AsyncGenerator<RowBlock> {
  for (let start = 0; start < rows.length; start += ROWS_A_BLOCK) {
    // a sparse array: missing rows are blank
    const part = Array.from({ length: Math.min(ROWS_A_BLOCK, rows.length - start) }, (_, index) => rows[start + index])
    yield { first: start + 1, rows: part.map((row) => texts(row, is1904, maxColumns)) }
  }
}

function texts(row: Row, is1904: boolean, maxColumns: number): string[] {
  const cells = Array.from({ length: Math.min(row?.length ?? 0, maxColumns + 1) }, (_, index) =>
    cellText(row?.[index], is1904),
  )
  while (cells.at(-1) === '') cells.pop()
  return cells
}

function cellText(cell: CellObject | undefined, is1904: boolean): string {
  if (!cell || cell.v === undefined || cell.t === 'z') return ''
  if (cell.t === 'n') return showNumber(String(cell.v), cellFormat(String(cell.z ?? 'General')), is1904)
  if (cell.t === 'b') return cell.v ? 'TRUE' : 'FALSE'
  if (cell.t === 'e') return cell.w ?? '#N/A'
  if (cell.v instanceof Date) return cell.v.toISOString().slice(0, 19)
  return String(cell.v)
}
