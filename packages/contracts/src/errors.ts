/**
 * The one error of Partsbus. `code` says whose fault it is and decides the HTTP status;
 * `message` may be shown to the caller; `details` travels with it; `cause` is for the log alone.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details?: unknown

  constructor(code: ErrorCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    if (options.details !== undefined) this.details = options.details
  }
}

/** HTTP status of every code. A new code does not compile without one. */
export const httpStatus = {
  // the caller's fault
  MALFORMED: 400,
  INACTIVE_LIST: 400,
  INVALID_FILE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TOO_SLOW: 408,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  CONTRACT_VIOLATION: 422,
  RATE_LIMITED: 429,
  // a setting is missing or switched off
  NOT_CONFIGURED: 500,
  STORE_FAILED: 500,
  DISABLED: 503,
  // something we depend on
  OVERLOADED: 503,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  // ours
  INTERNAL: 500,
} as const

export type ErrorCode = keyof typeof httpStatus

/** What a failed reply carries on the wire, beside the header `x-error`. */
export interface WireError {
  code: ErrorCode
  message: string
  details?: unknown
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(httpStatus, text)
}

/** The texts decided for answers that no page of the contract fixes (rules.md#error-codes). */
export const texts = {
  invalid: 'The given data was invalid.',
  unavailable: 'Service temporarily unavailable.',
  timeout: 'The service did not answer in time.',
  internal: 'Internal server error.',
  notFound: 'Not found.',
  unauthenticated: 'Unauthenticated.',
  malformedJson: 'The request body is not valid JSON.',
} as const
