import { PriceFileError } from './price-file-error.js'

/** The rows and columns of a sheet of Excel, in each of its formats. */
export const MOST_ROWS = 1_048_576
export const MOST_COLUMNS = 16_384

export function rowOutOfRange(): PriceFileError {
  return new PriceFileError('DAMAGED', `The sheet has a row whose number is not between 1 and ${MOST_ROWS}.`)
}

export function columnOutOfRange(): PriceFileError {
  return new PriceFileError('DAMAGED', `The sheet has a cell beyond column XFD, the last of ${MOST_COLUMNS}.`)
}
