import { z } from 'zod'
import { AppError } from './app-error.js'
import { integer } from './field.js'

/*
 * Revisions of resources (admin.md#revisions). A revision rises with each change by an administrator; a document that
 * was stored without one has the revision 0.
 */

/** Of a change: the revisions that the caller accepts; absent: any. */
export const ifRevisions = { if_revisions: z.array(integer(0)).max(100).optional() }

/** Of a reply: the revision of the resource; services of version 0.1 omit it. */
export const revision = { revision: z.int().optional() }

/** A resource with its revision. */
export type Revised<Resource> = Resource & { revision: number }

/** @throws AppError CHANGED with the resource as it is now */
export function assertRevision(accepted: readonly number[] | undefined, current: { revision: number }): void {
  if (accepted && !accepted.includes(current.revision)) throw changedMeanwhile(current)
}

export function changedMeanwhile(current: { revision: number }): AppError {
  return new AppError('CHANGED', 'It was changed meanwhile.', { details: { current } })
}
