import { AppError, httpStatus } from '../app-error.js'
import type { BegunEntry } from './audit.js'
import type { Caller } from './caller.js'

type Details = Record<string, unknown>

/** Where the entries of changes are written: a collection, or the bus on the way to it. */
export interface AuditLog {
  /** @returns the id of the entry */
  begin(entry: BegunEntry): Promise<string>
  /** @param entityId of a resource that the change created; undefined: it was known before */
  complete(id: string, details: Details, entityId?: number | string): Promise<unknown>
  delete(id: string): Promise<unknown>
}

export interface Change<Result> {
  /** `<noun>.<verb>`, like `storage.create` */
  action: string
  /** the request, without secrets */
  details: Details
  make: () => Promise<Result>
  /** details that are known only after the change, like the id of a new resource */
  resultDetails?: (result: Result) => Details
}

export interface ChangeContext {
  audit: AuditLog
  caller: Caller
  log: { error(fields: object, text: string): void }
}

/**
 * Makes a change and records it in the audit log (admin.md#audit). The entry is written first: when that fails, the
 * change is not made, so that no change is without its entry even when the process is killed in between. The entry of a
 * refused change is deleted. When the outcome is unknown (no response in time, an internal error), the entry stays with
 * that outcome. An error after the change was made is logged and does not fail the request.
 * @throws AppError UNAVAILABLE while entries cannot be written, or the error of the change
 */
export async function recordChange<Result>(
  { audit, caller, log }: ChangeContext,
  { action, details, make, resultDetails }: Change<Result>,
): Promise<Result> {
  const entity_id = changedId(details) ?? null
  const id = await audit.begin({ caller, action, entity: changedEntity(action), entity_id, details })
  const logFailure = (step: Promise<unknown>): Promise<unknown> =>
    step.catch((error: unknown) => log.error({ err: error, action }, 'audit entry not finished'))
  try {
    const result = await make()
    const completed = { ...details, ...resultDetails?.(result) }
    await logFailure(audit.complete(id, completed, changedId(completed)))
    return result
  } catch (error) {
    if (wasRefused(error)) await logFailure(audit.delete(id))
    throw error
  }
}

/**
 * True for the codes with which a service reports that it changed nothing. `TOO_LARGE` is not one of them: a response
 * that does not fit into a message is refused after the change was made.
 */
function wasRefused(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return (httpStatus[error.code] < 500 && error.code !== 'TOO_LARGE') || error.code === 'OVERLOADED'
}

/** The kind of resource in `<noun>.<verb>`. A run of a source belongs to its price list, whose id is in the details. */
function changedEntity(action: string): string {
  const noun = action.split('.')[0] ?? action
  return noun === 'price-list-source' ? 'price-list' : noun
}

function changedId({ id }: Details): number | string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
