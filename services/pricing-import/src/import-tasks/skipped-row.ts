import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import type { SkipCode } from '../rows/skip-code.js'
import { type Locale, skipMessage } from '../texts/skip-texts.js'
import { locateRow, type SheetPosition } from './row-location.js'

/** A row that was left out (rules.md#skipped-rows). */
export interface LeftOutRow {
  row: number
  code: SkipCode
  cells: string[]
  /** the row that is imported in place of a duplicate; absent in tasks of earlier versions */
  by?: number | undefined
}

const ROWS = 2 ** 24
const MAX_CELLS = 257
const MAX_CELL = 2_000

/** task × 2^24 + row: written twice is written once, and a task's rows lie together in their order */
export function skippedRowId(taskId: number, row: number): number {
  return taskId * ROWS + Math.min(row, ROWS - 1)
}

/** Filter on `_id` for all rows of a task. */
export function skippedRowIds(taskId: number): { $gte: number; $lt: number } {
  return { $gte: taskId * ROWS, $lt: (taskId + 1) * ROWS }
}

/**
 * A row that was left out, as the administrator sees it.
 * @param sheets the sheets of a workbook whose sheets were all read
 */
export function showSkipped(
  { row, code, cells, by }: LeftOutRow,
  locale: Locale,
  sheets: readonly SheetPosition[] = [],
): SkippedRow {
  const message = skipMessage(code, locale, by === undefined ? undefined : locateRow(by, sheets))
  const { sheet, sheet_row } = locateRow(row, sheets)
  return { row, code, message, cells: [...cells], ...(sheet !== undefined && { sheet, sheet_row }) }
}

/** Cells without the blank ones at the end; a monstrous row is cut, so that a batch of them fits a message. */
export function keptCells(cells: string[]): string[] {
  let length = Math.min(cells.length, MAX_CELLS)
  while (length > 0 && cells[length - 1] === '') length -= 1
  return cells.slice(0, length).map((cell) => cell.slice(0, MAX_CELL).toWellFormed())
}
