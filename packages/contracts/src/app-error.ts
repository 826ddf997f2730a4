/**
 * The error class of Partsbus. `code` determines the HTTP status; `message` and `details` may be shown to the caller;
 * `cause` is only logged.
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

/** HTTP status of every code. */
export const httpStatus = {
  // errors of the caller
  MALFORMED: 400,
  INACTIVE_LIST: 400,
  INVALID_FILE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  TOO_SLOW: 408,
  CONFLICT: 409,
  CHANGED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  CONTRACT_VIOLATION: 422,
  RATE_LIMITED: 429,
  // a setting is missing or off
  NOT_CONFIGURED: 500,
  STORE_FAILED: 500,
  DISABLED: 503,
  // a dependency failed
  OVERLOADED: 503,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  // a defect
  INTERNAL: 500,
} as const

export type ErrorCode = keyof typeof httpStatus

/** Body of an error reply on the bus, besides the header `x-error`. */
export interface WireError {
  code: ErrorCode
  message: string
  details?: unknown
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(httpStatus, text)
}

/** Messages shared by several errors (rules.md#error-codes). */
export const texts = {
  invalid: 'The given data was invalid.',
  unavailable: 'Service temporarily unavailable.',
  timeout: 'The service did not answer in time.',
  internal: 'Internal server error.',
  notFound: 'Not found.',
  unauthenticated: 'Unauthenticated.',
  malformedJson: 'The request body is not valid JSON.',
  mediaType: 'The media type must be application/json. Send it in the header Content-Type.',
  formType: 'The media type must be multipart/form-data. Send the document as a form.',
  replyTooLarge: 'The response is too large. Request fewer items at once.',
  encoding: 'The content encoding is not supported. Send the body uncompressed, without Content-Encoding.',
} as const

/** The message of a 413; the limit is fixed (rules.md#error-codes). */
export function bodyTooLarge(limit: number): string {
  return `The request body must not be greater than ${limit} bytes. Send it in several requests.`
}
