import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import type { WireError } from '@partsbus/contracts/app-error'

/** Room for the fields beside the rows. */
const RESERVE = 64 * 1024

/**
 * Returns the first rows that fit into one message of the bus (admin.md#page-fits).
 * @param largest upper bound of a row in bytes, so that few rows need not be measured
 */
export function fitMessage<Row>(rows: readonly Row[], largest: number): readonly Row[] {
  const room = MAX_BODY_BYTES - RESERVE
  if (rows.length * largest <= room) return rows
  return rows.slice(0, countFitting(rows, room))
}

/** A row of `errors` in the reply of a batch: the id of the item under its contract's name, and the message. */
type ErrorRow = Record<string, string>

/**
 * Shortens the reply of a batch or a delete to `maxBytes` (erp.md#batch-fits): `details.items` first, then `errors`,
 * whose last row says how many are missing, or `not_found`. The valid items are written by then, so the reply must
 * stay a success with the right counts.
 * @returns undefined when the reply has nothing to shorten
 */
export function fitBatch(reply: unknown, maxBytes: number): unknown {
  if (typeof reply !== 'object' || reply === null) return undefined
  const details = 'details' in reply ? { details: { ...(reply.details as object), items: [] } } : {}
  if ('errors' in reply && Array.isArray(reply.errors) && reply.errors.length > 0)
    return { ...reply, errors: fitErrors(reply.errors as ErrorRow[], maxBytes), ...details }
  if (!('not_found' in reply) || !Array.isArray(reply.not_found)) return undefined
  const short = { ...reply, ...details }
  if (Buffer.byteLength(JSON.stringify(short)) <= maxBytes) return short
  return { ...short, not_found: reply.not_found.slice(0, countFitting(reply.not_found, maxBytes - RESERVE)) }
}

function fitErrors(errors: readonly ErrorRow[], maxBytes: number): ErrorRow[] {
  const fitting = errors.slice(0, countFitting(errors, maxBytes - RESERVE))
  const left = errors.length - fitting.length
  const last: ErrorRow = Object.fromEntries(Object.keys(errors[0] ?? {}).map((name) => [name, '']))
  last.message = `${left} more errors do not fit into this response.`
  return [...fitting, last]
}

/** Shortens the violations of an error to what fits into `maxBytes`; other details are left out. */
export function fitError(error: WireError, maxBytes: number): WireError {
  const { code, message, details } = error
  if (typeof details !== 'object' || details === null || !('errors' in details)) return { code, message }
  const violations = Object.entries(details.errors as Record<string, string[]>)
  const kept = violations.slice(0, countFitting(violations, maxBytes - RESERVE))
  return { code, message, details: { errors: Object.fromEntries(kept) } }
}

function countFitting(rows: readonly unknown[], room: number): number {
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > room) return at
  }
  return rows.length
}
