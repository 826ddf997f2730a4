import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import type { Cell } from './csv.js'

const PAGE_ROWS = 500

/** Reads the skipped rows after a row, in their order: `limit` of them, or fewer when they are long. */
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
export async function* skippedRows(
  read: ReadSkipped,
  header: Header | null,
  reasonColumns: readonly string[],
): AsyncGenerator<Cell[][]> {
  let rows = await read(0, PAGE_ROWS)
  const width = Math.max(header?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length))
  const heading = header && [...header.cells, ...blanks(width - header.cells.length), ...reasonColumns]
  let isHeadingDue = heading !== null
  for (; rows.length > 0; rows = await read(rows.at(-1)?.row ?? 0, PAGE_ROWS)) {
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

/** @param width the least number of columns of cells */
export function withReason({ row, sheet, sheet_row, code, message, cells }: SkippedRow, width: number): Cell[] {
  // as `rowName` does
  const location = sheet === undefined ? row : `${sheet}!${sheet_row}`
  return [...cells, ...blanks(width - cells.length), location, code, message]
}

/** Empty cells; none when `count` is below 1. */
function blanks(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}
