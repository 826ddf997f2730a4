import { AppError } from '@partsbus/contracts/errors'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import type { Cell } from './csv.js'

const PAGE_ROWS = 500

/** Names of the columns after the cells; imports look for none of them. */
const reasonColumns = ['skipped_row', 'skipped_code', 'skipped_message']

/** Reads the skipped rows after a row, in their order. */
export type ReadSkipped = (afterRow: number, limit: number) => Promise<SkippedRow[]>

/** The header row of the file. */
export interface Header {
  row: number
  cells: string[]
}

/**
 * Yields one page of rows at a time: their cells in the columns of the file, so that they can be corrected and uploaded
 * again, followed by the reason (admin.md#skipped-files). The header has the same position among the rows as in the
 * file, so that a list that skips its first rows reads both in the same way.
 */
export async function* skippedRows(read: ReadSkipped, header: Header | null): AsyncGenerator<Cell[][]> {
  let rows = await readPage(read, 0)
  const width = Math.max(header?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length))
  const heading = header && [...header.cells, ...blanks(width - header.cells.length), ...reasonColumns]
  let isHeadingDue = heading !== null
  for (; rows.length > 0; rows = await readPage(read, rows.at(-1)?.row ?? 0)) {
    const above = isHeadingDue ? rows.filter(({ row }) => row < (header?.row ?? 0)) : rows
    const below = rows.slice(above.length)
    const isHeadingHere = isHeadingDue && below.length > 0
    yield [
      ...above.map((row) => withReason(row, width)),
      ...(isHeadingHere && heading ? [heading] : []),
      ...below.map((row) => withReason(row, width)),
    ]
    isHeadingDue &&= !isHeadingHere
  }
  if (isHeadingDue && heading) yield [heading]
}

/** Rows with many long cells may exceed the size of a message. */
async function readPage(read: ReadSkipped, afterRow: number): Promise<SkippedRow[]> {
  for (let limit = PAGE_ROWS; ; limit = Math.ceil(limit / 8)) {
    try {
      return await read(afterRow, limit)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TOO_LARGE' || limit === 1) throw error
    }
  }
}

/** @param width the least number of columns of cells */
export function withReason({ row, sheet, sheet_row, code, message, cells }: SkippedRow, width: number): Cell[] {
  // as a spreadsheet names the row of another sheet
  const location = sheet === undefined ? row : `${sheet}!${sheet_row}`
  return [...cells, ...blanks(width - cells.length), location, code, message]
}

/** Empty cells; none when `count` is below 1. */
function blanks(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}
