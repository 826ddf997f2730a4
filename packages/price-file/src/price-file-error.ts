/** What can be wrong with a whole file. A wrong row is no error of this kind: rows come out as they are. */
export type PriceFileProblem =
  /** bytes that are not text in the encoding that was asked for */
  | 'ENCODING'
  /** one row is longer than the limit */
  | 'ROW_TOO_LONG'
  /** more rows than the limit */
  | 'TOO_MANY_ROWS'
  | 'EMPTY'

/** A file that cannot be read. `row` is 1-based, where a place is known. */
export class PriceFileError extends Error {
  readonly problem: PriceFileProblem
  readonly row?: number

  constructor(problem: PriceFileProblem, message: string, row?: number) {
    super(message)
    this.name = 'PriceFileError'
    this.problem = problem
    if (row !== undefined) this.row = row
  }
}
