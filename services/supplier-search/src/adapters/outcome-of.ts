import { AppError } from '@partsbus/contracts/errors'
import type { Outcome } from '../search/storage-answer.js'

/** What partners are told of a failure; the reason goes to the log. */
export function outcomeOf(error: unknown): Exclude<Outcome, 'ok'> {
  return error instanceof AppError && error.code === 'TIMEOUT' ? 'timeout' : 'error'
}

/** A failure in words for the log and the administrator. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
