import type { DecimalMark } from '../rows/number-text.js'

/** Numbers are cells of their own kind in a workbook; null is an empty cell. */
export type Cell = string | number | null

/** Spreadsheets execute cells that begin like this (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/
/** Exceptions that are plain numbers: `-5`, `+7 343 000`, `-1 234,50`. */
const NUMBER = /^[+-]?[\d\s\u00a0.,]*$/
/**
 * A formula behind a character at which spreadsheets of another locale begin a new cell: they do not see a quote that
 * is not at the beginning of what they take for the cell.
 */
const INNER_FORMULA = /([,;\t\r\n])(?=[=+\-@])(?![+-][\d.]*(?:[,;\t\r\n]|$))/g
const BYTE_ORDER_MARK = '\uFEFF'

/** The default; spreadsheets of most countries open it as columns. */
const DEFAULT_DELIMITER = ';'

export interface CsvStyle {
  delimiter?: string | undefined
  /** where it is not that of the reader's country, a spreadsheet takes `12.50` for a text and `12.5` for a day */
  decimalMark?: DecimalMark | undefined
}

/** UTF-8 with a byte order mark, by which spreadsheets recognise the encoding. */
export async function* writeCsv(rows: AsyncIterable<readonly Cell[][]>, style: CsvStyle = {}): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK
  for await (const batch of rows) {
    yield mark + batch.map((cells) => csvLine(cells, style)).join('')
    mark = ''
  }
  if (mark) yield mark
}

/** One line of a CSV. */
export function csvLine(
  cells: readonly Cell[],
  { delimiter = DEFAULT_DELIMITER, decimalMark = '.' }: CsvStyle = {},
): string {
  const written = cells.map((cell) =>
    csvCell(typeof cell === 'number' ? String(cell).replace('.', decimalMark) : (cell ?? ''), delimiter),
  )
  return `${written.join(delimiter)}\r\n`
}

function csvCell(cell: string, delimiter: string): string {
  const head = FORMULA.test(cell) && !NUMBER.test(cell) ? "'" : ''
  const safe = head + cell.replace(INNER_FORMULA, "$1'")
  return safe.includes(delimiter) || /[";\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
