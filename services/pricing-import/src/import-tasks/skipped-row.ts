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
/** characters of all cells of a row; a page of 100 rows has at most 10 MB */
const MAX_ROW = 32 * 1024

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

/**
 * Cells without the blank ones at the end. A monstrous row is cut, so that a batch of them fits a message, and a page
 * of them holds up nobody.
 */
export function keptCells(cells: string[]): string[] {
  const kept: string[] = []
  let left = MAX_ROW
  for (const cell of cells.slice(0, MAX_CELLS)) {
    if (left === 0) break
    kept.push(cell.slice(0, Math.min(MAX_CELL, left)).toWellFormed())
    left -= Math.min(cell.length, MAX_CELL, left)
  }
  while (kept.at(-1) === '') kept.pop()
  return kept
}
