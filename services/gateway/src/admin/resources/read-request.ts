import { check } from '@partsbus/contracts/check'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Row } from '@partsbus/contracts/http/row'
import type { Command } from '@partsbus/contracts/message'
import { isValidText } from '@partsbus/contracts/valid-text'
import { contractViolation, MAX_VIOLATIONS } from '@partsbus/contracts/violation'
import { readIfMatch } from './revisions.js'

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
  if (text === undefined || text.trim() === '' || !isValidText(text)) throw notFound()
  return text
}

type Schema = Command['request']
type Query = NonNullable<Row['query']>

/**
 * Refuses query parameters that a call does not have: a misspelt filter would list everything (admin.md#unknown-query).
 * @throws AppError CONTRACT_VIOLATION
 */
export function assertKnownParameters(query: Record<string, unknown>, schema: Query | undefined): void {
  const known = Object.keys(schema?.shape ?? {})
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const taken = known.length === 0 ? 'This call takes none.' : `This call takes ${known.join(', ')}.`
  const texts = unknown.slice(0, MAX_VIOLATIONS).map((name) => [name, [`The ${name} parameter is unknown. ${taken}`]])
  throw contractViolation(Object.fromEntries(texts), 'unknown')
}

/**
 * Parses the query parameters that a schema has. An empty parameter is the same as an absent one. A value that cannot
 * be parsed is passed on as text, for the schema to refuse.
 */
export function readQuery(query: Record<string, unknown>, schema: Query): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = query[name]
    if (value !== undefined && value !== '') read[name] = parseParameter(value, valueType(field as Schema))
  }
  return read
}

interface ValueType {
  type: string
  /** of the items of an array */
  element?: Schema
}

/** The type of a field, without what makes it optional. */
function valueType(schema: Schema): ValueType {
  let def = schema.def as ValueType & { innerType?: Schema }
  while (def.innerType) def = def.innerType.def
  return def
}

function parseParameter(value: unknown, { type, element }: ValueType): unknown {
  // an array is sent as a parameter that occurs several times
  if (type === 'array' && element) return [value].flat().map((item) => parseParameter(item, valueType(element)))
  if (typeof value !== 'string') return value
  if (type === 'number') return /^-?\d{1,16}(\.\d{1,6})?$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}

/** The parts of an HTTP request that a call of the admin API reads, as they were sent. */
export interface SentInput {
  params: Record<string, string | undefined>
  query: Record<string, unknown>
  /** parsed JSON; undefined where there is no body */
  body: unknown
  /** the header `If-Match` */
  ifMatch?: string | undefined
}

/** The same after the checks of the row. */
export interface Input {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
  /** the revisions that a change accepts; absent: any */
  ifMatch: number[] | undefined
}

/**
 * Checks a request by the schemas of its row.
 * @throws AppError NOT_FOUND when a parameter of the path cannot exist, or CONTRACT_VIOLATION
 */
export function readInput(row: Row, method: string, { params, query, body, ifMatch }: SentInput): Input {
  const ids = readParams(row, params)
  const sentBody = method === 'PATCH' && typeof ids.id === 'number' ? withoutId(body, ids.id) : body
  return {
    params: ids,
    query: row.query ? check(row.query, readQuery(query, row.query)) : {},
    body: row.body ? (checkBody(row.body, sentBody) as Record<string, unknown>) : {},
    ifMatch: readIfMatch(ifMatch),
  }
}

export function readParams({ params: schema }: Row, params: SentInput['params']): Record<string, unknown> {
  if (schema) {
    const result = schema.safeParse(params)
    if (!result.success) throw notFound()
    return result.data
  }
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => (name === '*' ? ['erp_id', readErpId(text)] : [name, readId(text)])),
  )
}

/** A resource may be sent back as it was read, with its id. */
function withoutId(body: unknown, own: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { id, ...rest } = body as Record<string, unknown>
  return id === own ? rest : body
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
