import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import type { WireError } from '@partsbus/contracts/errors'

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
 * Shortens the `errors` of a batch reply to `maxBytes`; a last row says how many are missing (erp.md#batch-fits). The
 * valid items are written by then, so the reply must stay a success with the right counts.
 * @returns undefined when the reply has no `errors` to shorten
 */
export function fitErrors(reply: unknown, maxBytes: number): unknown {
  if (typeof reply !== 'object' || reply === null || !('errors' in reply) || !Array.isArray(reply.errors))
    return undefined
  const errors = reply.errors as ErrorRow[]
  if (errors.length === 0) return undefined
  const fitting = errors.slice(0, countFitting(errors, maxBytes - RESERVE))
  const left = errors.length - fitting.length
  const last: ErrorRow = Object.fromEntries(Object.keys(errors[0] ?? {}).map((name) => [name, '']))
  last.message = `${left} more errors do not fit into this response.`
  const details = 'details' in reply ? { details: { ...(reply.details as object), items: [] } } : {}
  return { ...reply, errors: [...fitting, last], ...details }
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
