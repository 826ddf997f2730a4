import type { SkippedRow } from '@partsbus/contracts/price-list'

/** Spreadsheets run what begins so (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/
/** What begins so and is a plain number all the same: `-5`, `+7 343 000`, `-1 234,50`. */
const NUMBER = /^[+-]?[\d\s\u00a0.,]*$/

/** Names of the columns behind the cells; none of them is a heading that an import looks for. */
export const reasonColumns = ['skipped_row', 'skipped_code', 'skipped_message'] as const

/** One line of a CSV with `;` between cells, which spreadsheets of most countries open as columns. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(';')}\r\n`
}

function csvCell(cell: string): string {
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return /[";\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * A skipped row with the cells where they stood in the file, so that it can be corrected and uploaded again, and behind
 * them why it was left out.
 * @param width columns that a row fills at least
 */
export function skippedLine({ row, code, message, cells }: SkippedRow, width: number): string {
  return csvLine([...cells, ...blanks(width - cells.length), String(row), code, message])
}

/** Cells to fill a line up with; none when `count` is below 1. */
export function blanks(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '')
}
