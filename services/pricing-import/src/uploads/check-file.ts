import { AppError, texts } from '@partsbus/contracts/app-error'
import { listedExtension } from '@partsbus/price-file/file-kind'
import { checkPriceFile } from '@partsbus/price-file/reader-process/check-price-file'
import { PriceFileError, ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import type { PriceListReaders } from '../reading/out-of-process-reader.js'
import { storeFailed } from '../files/store-failed.js'
import type { PreviewFacts } from '@partsbus/contracts/pricing-import/preview'
import type { Locale } from '../texts/skip-texts.js'
import { translate } from '../texts/translate.js'
import type { LocalFile } from '../files/local-file.js'

/** The text of partners.md#upload; the reason is for the log and the admin. */
const NOT_VALID = 'Uploaded file is not valid.'

/** An archive may unpack to that many times the limit on files (rules.md#valid-files). */
export const UNPACKED_RATIO = 20

/** @param preview what was read of it */
export function invalidFile(reason: string, preview?: PreviewFacts, cause?: PriceFileError): AppError {
  return new AppError('INVALID_FILE', NOT_VALID, { details: { reason, ...(preview && { preview }) }, cause })
}

/** The reason of a refusal in the locale of the administrators; other errors unchanged. */
export function inLocale(error: unknown, locale: Locale): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_FILE') return error
  const { reason = '', ...details } = (error.details ?? {}) as { reason?: string }
  const lead = locale === 'ru' ? 'Загруженный файл не подходит.' : NOT_VALID
  return new AppError('INVALID_FILE', NOT_VALID, { details: { ...details, lead, reason: translate(reason, locale) } })
}

/** A previewed file was deleted, or never existed. */
export function noLongerKept(): AppError {
  return new AppError('CONFLICT', 'The previewed file is no longer kept. Send it again.')
}

/** @throws AppError INVALID_FILE when the size is out of bounds */
export function checkSize(size: number, maxFileSize: number): void {
  if (size === 0) throw invalidFile('The file is empty.')
  if (size > maxFileSize) throw invalidFile(`The file is larger than ${maxFileSize} bytes.`)
}

/**
 * A partner may not send all that administrators and sources may (rules.md#page-files).
 * @throws AppError INVALID_FILE
 */
export function checkListed(fileName: string): void {
  if (!listedExtension(fileName)) throw invalidFile('The file must be CSV, TXT, XLS, XLSX, ZIP or RAR.')
}

/**
 * Checks extension and first bytes, and that an archive is intact.
 * @throws AppError INVALID_FILE; OVERLOADED or STORE_FAILED when the file is not to blame
 */
export async function checkFile(file: LocalFile, readers: PriceListReaders): Promise<void> {
  try {
    await checkPriceFile(readers, file)
  } catch (error) {
    throw toCheckError(error)
  }
}

/** @param error of a reader, or of the file system */
export function toCheckError(error: unknown): unknown {
  if (error instanceof PriceFileError) return invalidFile(error.message, undefined, error)
  if (error instanceof ReaderUnavailable) return new AppError('OVERLOADED', texts.unavailable, { cause: error })
  return error instanceof AppError ? error : storeFailed(error)
}
