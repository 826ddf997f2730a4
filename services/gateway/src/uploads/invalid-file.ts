import { AppError } from '@partsbus/contracts/errors'

/** The text of the B2B document. The reason is for the log and the admin alone. */
export function invalidFile(reason: string): AppError {
  return new AppError('INVALID_FILE', 'Uploaded file is not valid.', { details: { reason } })
}
