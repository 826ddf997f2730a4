import { AppError } from '@partsbus/contracts/app-error'
import type { Outcome } from '../search/storage-answer.js'

/** The failure as partners see it; its reason is logged. */
export function toOutcome(error: unknown): Exclude<Outcome, 'ok'> {
  return error instanceof AppError && error.code === 'TIMEOUT' ? 'timeout' : 'error'
}

/** The reason of a failure for the log and the administrator. */
export function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
