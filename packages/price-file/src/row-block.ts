/** Rows in the order of the file. All cells are text, as a spreadsheet shows them. */
export interface RowBlock {
  /** number of the first row of the block, from 1; blank rows count */
  first: number
  rows: string[][]
}

/** Limits for every file. */
export interface RowLimits {
  maxRows: number
  /** a row with more cells that are not empty gets one cell more than this, so that the caller can refuse it */
  maxColumns: number
  /** characters of one row, quotes and line breaks included */
  maxRowChars: number
}

export const defaultRowLimits: RowLimits = { maxRows: 5_000_000, maxColumns: 256, maxRowChars: 1_000_000 }
