import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { type SkipCode, skipTexts } from '../rows/skip-code.js'

/** A row that was left out (rules.md#skipped-rows). */
export interface LeftOutRow {
  row: number
  code: SkipCode
  cells: string[]
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

/** A row that was left out, as the administrator sees it. */
export function showSkipped({ row, code, cells }: LeftOutRow): SkippedRow {
  return { row, code, message: skipTexts[code], cells: [...cells] }
}

/** Cells without the blank ones at the end; a monstrous row is cut, so that a batch of them fits a message. */
export function keptCells(cells: string[]): string[] {
  let length = Math.min(cells.length, MAX_CELLS)
  while (length > 0 && cells[length - 1] === '') length -= 1
  return cells.slice(0, length).map((cell) => cell.slice(0, MAX_CELL).toWellFormed())
}
