/** A sheet of a workbook whose sheets are all read, and the number of rows before it. */
export interface SheetPosition {
  name: string
  offset: number
}

/** Where a person finds a row. */
export interface RowLocation {
  /** its number in its sheet, or in a file that has none */
  sheet_row: number
  sheet?: string
}

/** @param sheets in their order; empty: one sheet or a text was read */
export function locateRow(row: number, sheets: readonly SheetPosition[]): RowLocation {
  const found = sheets.findLast(({ offset }) => offset < row)
  return found ? { sheet: found.name, sheet_row: row - found.offset } : { sheet_row: row }
}

/** As a spreadsheet names it: with its sheet, where several were read. */
export function rowName(row: number, sheets: readonly SheetPosition[]): number | string {
  const { sheet, sheet_row } = locateRow(row, sheets)
  return sheet === undefined ? sheet_row : `${sheet}!${sheet_row}`
}
