import { AppError } from '@partsbus/contracts/errors'
import { checkPriceFile } from '@partsbus/price-file/reader-process/check-price-file'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { LocalFile } from '../files/local-file.js'

/** The text of partners.md#upload; the reason is for the log and the admin. */
const NOT_VALID = 'Uploaded file is not valid.'

/** An archive may unpack to that many times the limit on files (rules.md#valid-files). */
export const UNPACKED_RATIO = 20

export function invalidFile(reason: string): AppError {
  return new AppError('INVALID_FILE', NOT_VALID, { details: { reason } })
}

/** @throws AppError INVALID_FILE when the size is out of bounds */
export function checkSize(size: number, maxFileSize: number): void {
  if (size === 0) throw invalidFile('The file is empty.')
  if (size > maxFileSize) throw invalidFile(`The file is larger than ${maxFileSize} bytes.`)
}

/** Checks extension, first bytes and an archive's directory. @throws AppError INVALID_FILE */
export async function checkFile(file: LocalFile): Promise<void> {
  try {
    await checkPriceFile(file.path, file.name, file.maxUnpacked)
  } catch (error) {
    if (error instanceof PriceFileError) throw invalidFile(error.message)
    throw error
  }
}
