/** Errors of a whole file. A wrong row is not an error here: all rows are returned unchecked. */
export type PriceFileProblem =
  /** bytes that are not text in the requested encoding */
  | 'ENCODING'
  /** one row is longer than the limit */
  | 'ROW_TOO_LONG'
  /** more rows than the limit */
  | 'TOO_MANY_ROWS'
  | 'EMPTY'
  /** an archive or workbook with an invalid structure */
  | 'DAMAGED'
  | 'ENCRYPTED'
  /** a limit is exceeded; the message names it */
  | 'TOO_LARGE'
  /** the configured sheet does not exist, or no sheet has data */
  | 'NO_SHEET'
  /** an extension that is not accepted, or bytes that do not match it */
  | 'WRONG_KIND'
  /** a page of the web without a table of data, for example a form to sign in */
  | 'WEB_PAGE'
  /** an archive that does not contain exactly one file of an accepted type */
  | 'NOT_ONE_FILE'
  /** a link, or a name that points outside the archive */
  | 'UNSAFE_NAME'
  /** reading takes longer than the limit for a file of its size */
  | 'TOO_SLOW'
  /** the reader process exceeded its memory limit, or crashed */
  | 'READER_KILLED'

/** A file that cannot be read. `row` is the 1-based number of the row, if it is known. */
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

/** The file could not be read because of the system: no process, no disk space, no file descriptor. */
export class ReaderUnavailable extends Error {
  /** the process had started to read: the file may be the reason, for example by the memory it needs */
  readonly wasReading: boolean

  constructor(message: string, options: { cause?: unknown; wasReading?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ReaderUnavailable'
    this.wasReading = options.wasReading ?? false
  }
}
