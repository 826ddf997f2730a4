/** What can be wrong with a whole file. A wrong row is no error of this kind: rows come out as they are. */
export type PriceFileProblem =
  /** bytes that are not text in the encoding that was asked for */
  | 'ENCODING'
  /** one row is longer than the limit */
  | 'ROW_TOO_LONG'
  /** more rows than the limit */
  | 'TOO_MANY_ROWS'
  | 'EMPTY'
  /** a container or workbook that breaks its own rules */
  | 'DAMAGED'
  | 'ENCRYPTED'
  /** more than a limit allows; the message names it */
  | 'TOO_LARGE'
  /** the sheet that is set for the list is not there, or none has data */
  | 'NO_SHEET'
  /** an extension that is not listed, or bytes that disagree with it */
  | 'WRONG_KIND'
  /** an archive that does not hold exactly one file of a listed type */
  | 'NOT_ONE_FILE'
  /** a link, or a name that leads out of the archive */
  | 'UNSAFE_NAME'
  /** reading takes longer than the limit for a file of its size */
  | 'TOO_SLOW'
  /** the reader process took too much memory, or crashed */
  | 'READER_KILLED'

/** A file that cannot be read. `row` is the 1-based number of the row, where it is known. */
export class PriceFileError extends Error {
  readonly problem: PriceFileProblem
  readonly row?: number

  constructor(problem: PriceFileProblem, message: string, row?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'PriceFileError'
    this.problem = problem
    if (row !== undefined) this.row = row
  }
}

/** The file could not be read for a reason that is not its own: no process, no disk space, no descriptor. */
export class ReaderUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ReaderUnavailable'
  }
}
