import { AppError, httpStatus } from '@partsbus/contracts/errors'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { AdminContext } from '../admin-context.js'

export interface Change<Result> {
  /** `<noun>.<verb>`, like `storage.create` */
  action: string
  /** the request, without secrets */
  details: Record<string, unknown>
  make: () => Promise<Result>
  /** details that are known only after the change, like the id of a new resource */
  resultDetails?: (result: Result) => Record<string, unknown>
}

/**
 * Makes a change and records it in the audit log (admin.md#audit). The entry is written first: when that fails, the
 * change is not made, so that no change is without its entry even when the process is killed in between. The entry of a
 * refused change is deleted. When the outcome is unknown (no response in time, an internal error), the entry stays with
 * that outcome. An error after the change was made is logged and does not fail the request.
 * @throws AppError UNAVAILABLE while the database is down, or the error of the change
 */
export async function recordChange<Result>(
  ctx: Pick<AdminContext, 'audit' | 'mongo' | 'log' | 'caller'>,
  change: Change<Result>,
): Promise<Result> {
  const unavailable = ctx.mongo.unavailable()
  if (unavailable) throw unavailable
  const { administrator, requestId, address } = ctx.caller
  const id = await ctx.audit.begin({
    actor: administrator.name,
    actorId: administrator.id,
    action: change.action,
    entity: changedEntity(change.action),
    entityId: changedId(change.details) ?? null,
    requestId,
    address,
    details: change.details,
  })
  const logFailure = (step: Promise<void>): Promise<void> =>
    step.catch((error: unknown) => ctx.log.error({ err: error, action: change.action }, 'audit entry not finished'))
  try {
    const result = await change.make()
    const details = { ...change.details, ...change.resultDetails?.(result) }
    await logFailure(ctx.audit.complete(id, details, changedId(details)))
    return result
  } catch (error) {
    if (wasRefused(toAppError(error))) await logFailure(ctx.audit.delete(id))
    throw error
  }
}

/**
 * True for the codes with which a service reports that it changed nothing. `TOO_LARGE` is not one of them: a response
 * that does not fit into a message is refused after the change was made.
 */
function wasRefused(error: AppError): boolean {
  return (httpStatus[error.code] < 500 && error.code !== 'TOO_LARGE') || error.code === 'OVERLOADED'
}

/** The kind of resource in `<noun>.<verb>`. A run of a source belongs to its price list, whose id is in the details. */
function changedEntity(action: string): string {
  const noun = action.split('.')[0] ?? action
  return noun === 'price-list-source' ? 'price-list' : noun
}

function changedId({ id }: Record<string, unknown>): number | string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
