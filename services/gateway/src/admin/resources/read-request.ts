import { AppError, texts } from '@partsbus/contracts/errors'
import type { Command } from '@partsbus/contracts/message'
import { contractViolation, describeIssues } from '@partsbus/contracts/violation'
import type { QueryKind } from './resource-routes.js'

/**
 * An id in a path.
 * @throws AppError NOT_FOUND
 */
export function readId(text: string | undefined): number {
  const id = /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw notFound()
  return id
}

/**
 * An ERP id in a path, decoded.
 * @throws AppError NOT_FOUND when no stored id can look like this
 */
export function readErpId(text: string | undefined): string {
  if (text === undefined || text.trim() === '' || text.includes('\u0000') || !text.isWellFormed()) throw notFound()
  return text
}

/**
 * Parses the query parameters of a command. An empty parameter is the same as an absent one, and unknown ones are
 * ignored. A value that cannot be parsed is passed on as text, for the command's schema to refuse.
 */
export function readQuery(
  query: Record<string, unknown>,
  kinds: Readonly<Record<string, QueryKind>>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const value = query[name]
    if (value !== undefined && value !== '') read[name] = typeof value === 'string' ? readers[kind](value) : value
  }
  return read
}

const readers: Record<QueryKind, (text: string) => unknown> = {
  text: (text) => text,
  integer: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** @throws AppError CONTRACT_VIOLATION listing the violations */
export function check<Schema extends Command['request']>(schema: Schema, input: unknown): Schema['_output'] {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw contractViolation(describeIssues(result.error.issues, input, ''))
}

/** @throws AppError CONTRACT_VIOLATION when a body is not an object */
export function checkBody<Schema extends Command['request']>(schema: Schema, body: unknown): Schema['_output'] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw contractViolation({ body: ['The body must be an object.'] })
  }
  return check(schema, body)
}

export function notFound(): AppError {
  return new AppError('NOT_FOUND', texts.notFound)
}
