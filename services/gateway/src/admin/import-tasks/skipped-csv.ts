import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'

/** Spreadsheets execute cells that begin like this (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/
/** Exceptions that are plain numbers: `-5`, `+7 343 000`, `-1 234,50`. */
const NUMBER = /^[+-]?[\d\s\u00a0.,]*$/

/** Names of the columns after the cells; imports look for none of them. */
export const reasonColumns = ['skipped_row', 'skipped_code', 'skipped_message'] as const

/** The default; spreadsheets of most countries open it as columns. */
export const DEFAULT_DELIMITER = ';'

/** One line of a CSV. */
export function csvLine(cells: readonly string[], delimiter = DEFAULT_DELIMITER): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`
}

function csvCell(cell: string, delimiter: string): string {
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return safe.includes(delimiter) || /[";\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * A skipped row with its cells in their columns, so that it can be corrected and uploaded again, followed by the
 * reason.
 * @param width the least number of columns of cells
 */
export function skippedLine(
  { row, code, message, cells }: SkippedRow,
  width: number,
  delimiter = DEFAULT_DELIMITER,
): string {
  return csvLine([...cells, ...blanks(width - cells.length), String(row), code, message], delimiter)
}

/** Empty cells; none when `count` is below 1. */
export function blanks(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}
