import { AppError } from '@partsbus/contracts/app-error'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import { SourceFailure } from './source-failure.js'

/** Why a file could not be fetched or stored, for the administrator. */
export function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof SourceFailure) return { code: error.code, message: error.message }
  if (!(error instanceof AppError)) return { code: 'FAILED', message: 'The file cannot be stored.' }
  if (error.code !== 'INVALID_FILE') return { code: error.code, message: error.message }
  if (error.cause instanceof PriceFileError && error.cause.problem === 'WEB_PAGE')
    return { code: 'WEB_PAGE', message: 'The server sent a web page, perhaps a sign-in form.' }
  return { code: error.code, message: `The file is not valid: ${reasonOf(error)}` }
}

function reasonOf({ details }: AppError): string {
  return typeof details === 'object' && details !== null && 'reason' in details ? String(details.reason) : ''
}
