import { AppError } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'

/**
 * Open tasks, so that nobody can fill the queue for everybody (partners.md#upload-6). Checked before a task is made, so
 * slightly more may get in.
 */
const MAX_OPEN_OF_LIST = 200
const MAX_OPEN = 1_000
const RETRY_AFTER_S = 60

/** @throws AppError RATE_LIMITED when too many imports of the list, or of all lists, are waiting */
export async function assertQueueHasRoom(ctx: PricingImportContext, listId: number): Promise<void> {
  const [ofList, ofAll] = await Promise.all([ctx.tasks.countOpen(listId), ctx.tasks.countOpen()])
  if (ofList >= MAX_OPEN_OF_LIST) throw tooMany(`${MAX_OPEN_OF_LIST} imports of this price list are waiting already.`)
  if (ofAll >= MAX_OPEN) throw tooMany(`${MAX_OPEN} imports are waiting already.`)
}

function tooMany(what: string): AppError {
  return new AppError('RATE_LIMITED', `${what} Try again later.`, { details: { retryAfter: RETRY_AFTER_S } })
}
