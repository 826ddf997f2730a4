/** A sheet of a workbook whose sheets are all read. */
export interface BlockSheet {
  name: string
  /** rows of the sheets before it, after which its own are numbered */
  offset: number
}

/** Rows in the order of the file. All cells are text, as a spreadsheet shows them. */
export interface RowBlock {
  /** number of the first row of the block, from 1; blank rows count */
  first: number
  rows: string[][]
  /** when all sheets are read; the same object for all blocks of a sheet */
  sheet?: BlockSheet
}

/** A sheet of a workbook. */
export interface SheetCount {
  name: string
  isVisible: boolean
  /** that are not blank; null when they were not counted */
  rows: number | null
}

/** The option `sheet` that reads all sheets that are not hidden. */
export const ALL_SHEETS = 'all'

/** Limits for every file. */
export interface RowLimits {
  maxRows: number
  /** a row with more cells that are not empty gets one cell more than this, so that the caller can refuse it */
  maxColumns: number
  /** characters of one row, quotes and line breaks included */
  maxRowChars: number
}

export const defaultRowLimits: RowLimits = { maxRows: 5_000_000, maxColumns: 256, maxRowChars: 1_000_000 }
