import type { BodyError } from '@partsbus/contracts/body-error'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import { AppError, type ErrorCode, httpStatus, texts } from '@partsbus/contracts/app-error'
import type { FieldViolation, Violations } from '@partsbus/contracts/violation'
import { isBrokenSocket } from '@partsbus/platform/net/broken-socket'
import type { Log } from '@partsbus/platform/process/log'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { apiName } from './api-name.js'
import { closeUnlessComplete, hasSmallBody, hasUnreadBody, respondThenDiscard } from '@partsbus/http-guard/discard-body'

/**
 * Body of an error: `{message, errors?}`. `result` adds `result: false` for the partner API; `codes` adds the rules of
 * a 422 and the referrers of a 409 for the admin API (admin.md#errors).
 */
export type ErrorShape = 'message' | 'result' | 'codes'

/** Details of an error that are part of the response. */
interface ShownDetails {
  /** on 422: path → texts */
  errors?: Violations
  /** the same as codes; some may be missing */
  violations?: FieldViolation[]
  /** on 409: what refers to the resource */
  by?: Referrer[]
  /** on 409 of a full sync: the one that is open, or what would be deactivated */
  full_sync?: unknown
  counts?: unknown
  /** on 400: why the body is no JSON in UTF-8, and where (rules.md#body-error) */
  body_error?: BodyError
  /** on 400 of a preview: what was read of the file */
  preview?: unknown
  /** on 422: the details of an ERP batch whose request asked for them */
  details?: unknown
  /** on 429: seconds */
  retryAfter?: number
  /** on 405: methods of the path */
  allow?: string[]
  /** on 403 of the ERP API: the client address that was looked up */
  address?: string
  /** on 412: the resource as it is now, and its entity tag */
  current?: unknown
  etag?: string
}

/** `Retry-After` in seconds. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = { OVERLOADED: 1, UNAVAILABLE: 5 }

/** The client sends these again; a new connection each time would cost an overloaded gateway more than the request. */
const MEANT_TO_REPEAT = new Set<ErrorCode>(['OVERLOADED', 'RATE_LIMITED'])

/** Codes whose own message is not sent, because it may contain internals. */
const FIXED_TEXTS: Partial<Record<ErrorCode, string>> = {
  INTERNAL: texts.internal,
  UNAVAILABLE: texts.unavailable,
  OVERLOADED: texts.unavailable,
  TIMEOUT: texts.timeout,
}

/** The text of an error in the language of whoever asks. */
type Wording = (text: string, request: FastifyRequest['raw']) => string

const asItIs: Wording = (text) => text

/** For `setErrorHandler`: the one place that turns errors into responses (rules.md#error-bodies). */
export function createErrorHandler(shape: ErrorShape, log: Log, word = asItIs) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toHttpError(thrown)
    const fields = { err: error.cause, request_id: request.id, api: apiName(request.url) }
    if (error.code === 'INTERNAL' && error.cause !== undefined) log.error(fields, 'request failed')
    else if (error !== thrown && error.cause !== undefined) log.warn(fields, 'dependency unavailable')
    sendError(error, shape, request, reply, word)
  }
}

function sendError(
  error: AppError,
  shape: ErrorShape,
  request: FastifyRequest,
  reply: FastifyReply,
  word: Wording,
): void {
  const details = shownDetails(error)
  const retryAfter = details.retryAfter ?? RETRY_AFTER[error.code]
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (details.allow) reply.header('allow', details.allow.join(', '))
  if (details.address) reply.header('x-client-address', details.address)
  if (details.etag) reply.header('etag', details.etag)
  request.errorCode = error.code
  const body = JSON.stringify({
    ...(shape === 'result' && { result: false }),
    message: word(FIXED_TEXTS[error.code] ?? error.message, request.raw),
    ...(details.errors && { errors: wordErrors(details.errors, (text) => word(text, request.raw)) }),
    ...(details.errors && details.details !== undefined && { details: details.details }),
    ...(error.code === 'MALFORMED' && showsBodyError(shape, request) && { body_error: details.body_error }),
    ...(error.code === 'CONFLICT' && details.full_sync !== undefined && { full_sync: details.full_sync }),
    ...(error.code === 'CONFLICT' && details.counts !== undefined && { counts: details.counts }),
    ...(shape === 'codes' && details.preview !== undefined && { preview: details.preview }),
    ...(error.code === 'CHANGED' && { current: details.current }),
    ...(shape === 'codes' && details.errors && { violations: completeRules(details.errors, details.violations) }),
    ...(shape === 'codes' && error.code === 'CONFLICT' && { by: details.by ?? [] }),
  })
  reply.code(httpStatus[error.code]).header('content-type', 'application/json; charset=utf-8')
  const { raw } = request
  if (!hasUnreadBody(raw)) {
    reply.send(body)
    return
  }
  if (MEANT_TO_REPEAT.has(error.code) && hasSmallBody(raw)) {
    reply.send(body)
    closeUnlessComplete(raw)
    return
  }
  reply.header('connection', 'close').header('content-length', String(Buffer.byteLength(body)))
  reply.send(respondThenDiscard(raw, body))
}

/** The documents of the ERP and the partner API fix the body of a 400, so there the request has to ask for more. */
function showsBodyError(shape: ErrorShape, { headers }: FastifyRequest): boolean {
  return shape === 'codes' || String(headers['x-result-details']).trim() === '1'
}

const wordErrors = (errors: Violations, word: (text: string) => string): Violations =>
  Object.fromEntries(Object.entries(errors).map(([path, texts]) => [path, texts.map(word)]))

/** A violation whose rule is not known is `invalid`: its text says what is wrong. */
function completeRules(errors: Violations, rules: FieldViolation[] = []): FieldViolation[] {
  const named = new Set(rules.map(({ path }) => path))
  const rest = Object.keys(errors).filter((path) => !named.has(path))
  return [...rules, ...rest.map((path): FieldViolation => ({ path, rule: 'invalid' }))]
}

function shownDetails(error: AppError): ShownDetails {
  return typeof error.details === 'object' && error.details !== null ? error.details : {}
}

/** Maps errors of Fastify and of broken connections to our codes; any other unknown error is internal. */
function toHttpError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const { statusCode, code } = (thrown ?? {}) as Partial<FastifyError>
  if (code?.startsWith?.('FST_ERR_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    if (statusCode === 413) return new AppError('TOO_LARGE', 'The request is too large.')
    if (statusCode === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The media type is not supported.')
    return new AppError('MALFORMED', 'The request is malformed.')
  }
  if (isBrokenSocket(thrown)) return new AppError('UNAVAILABLE', texts.unavailable, { cause: thrown })
  return new AppError('INTERNAL', texts.internal, { cause: thrown })
}
