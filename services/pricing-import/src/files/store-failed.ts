import { AppError } from '@partsbus/contracts/app-error'

/** The service cannot store or read a file, for example for want of disk space (partners.md#upload fixes the text). */
export function storeFailed(cause: unknown): AppError {
  return new AppError('STORE_FAILED', 'Failed to store uploaded file.', { cause })
}
