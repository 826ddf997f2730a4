import { AppError } from '@partsbus/contracts/app-error'

/** The text of partners.md#upload. The reason is for the log and the admin alone (partners.md#upload-4). */
export function invalidFile(reason: string): AppError {
  return new AppError('INVALID_FILE', 'Uploaded file is not valid.', { details: { reason } })
}
