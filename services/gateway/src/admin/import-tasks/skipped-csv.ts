import type { SkippedRow } from '@partsbus/contracts/price-list'

/** Spreadsheets run what begins so (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/
/** What begins so and is a plain number all the same: `-5`, `+7 343 000`, `-1 234,50`. */
const NUMBER = /^[+-]?[\d\s\u00a0.,]*$/

/** Names of the columns behind the cells; none of them is a heading that an import looks for. */
export const reasonColumns = ['skipped_row', 'skipped_code', 'skipped_message'] as const

/** What divides cells where nothing else is asked for: spreadsheets of most countries open it as columns. */
export const USUAL_DELIMITER = ';'

/** One line of a CSV. */
export function csvLine(cells: readonly string[], delimiter = USUAL_DELIMITER): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`
}

function csvCell(cell: string, delimiter: string): string {
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return safe.includes(delimiter) || /[";\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * A skipped row with the cells where they stood in the file, so that it can be corrected and uploaded again, and behind
 * them why it was left out.
 * @param width columns that a row fills at least
 */
export function skippedLine(
  { row, code, message, cells }: SkippedRow,
  width: number,
  delimiter = USUAL_DELIMITER,
): string {
  return csvLine([...cells, ...blanks(width - cells.length), String(row), code, message], delimiter)
}

/** Cells to fill a line up with; none when `count` is below 1. */
export function blanks(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}
