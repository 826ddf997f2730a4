import { AppError, httpStatus } from '@partsbus/contracts/errors'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { AdminContext } from '../admin-context.js'

/** One kind of person writes here, known by the admin token. */
const ACTOR = 'admin'

export interface Change<Result> {
  /** `<noun>.<verb>`, like `storage.create` */
  action: string
  /** what is asked, without secrets */
  details: Record<string, unknown>
  /** makes the change */
  make: () => Promise<Result>
  /** what is known only afterwards, like the id of what was created */
  learn?: (result: Result) => Record<string, unknown>
}

/**
 * Makes a change and keeps it in the audit log (admin.md#audit).
 * The entry is written first: when that fails, the change is not made and the caller gets the database's error, so no
 * change is ever without its entry, also when the process is killed in between. When the change is refused its entry
 * is taken back; when its outcome is not known (no answer in time, an internal error) the entry stays and says so.
 * What fails after the change was made is logged and does not turn the answer into an error.
 */
export async function recordChange<Result>(
  ctx: Pick<AdminContext, 'audit' | 'mongo' | 'log'>,
  change: Change<Result>,
): Promise<Result> {
  const away = ctx.mongo.unavailable()
  if (away) throw away
  const id = await ctx.audit.begin({ actor: ACTOR, action: change.action, details: change.details })
  const afterwards = (step: Promise<void>): Promise<void> =>
    step.catch((error: unknown) => ctx.log.error({ err: error, action: change.action }, 'audit entry stays unfinished'))
  try {
    const result = await change.make()
    await afterwards(ctx.audit.complete(id, { ...change.details, ...change.learn?.(result) }))
    return result
  } catch (error) {
    if (wasRefused(toAppError(error))) await afterwards(ctx.audit.remove(id))
    throw error
  }
}

/** The codes by which a service says that it did nothing. */
function wasRefused(error: AppError): boolean {
  return httpStatus[error.code] < 500 || error.code === 'OVERLOADED'
}
