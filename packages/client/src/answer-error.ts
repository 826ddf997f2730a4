import type { ResultDetails } from '@partsbus/contracts/errors'

/** A field of a request that is not valid. */
export interface FieldViolation {
  path: string
  rule: string
  limit?: number
}

/** A resource that refers to the one that should be deleted. */
export interface Referrer {
  kind: string
  id: number | string
  name: string
}

/** The body of an error. */
export interface ErrorBody {
  message?: string
  /** of a 422: path → texts */
  errors?: Record<string, string[]>
  /** of a 422 of the admin API: the same as codes */
  violations?: FieldViolation[]
  /** of a 409 of the admin API */
  by?: Referrer[]
  /** of a 412: the resource as it is now */
  current?: unknown
  /** of a 400: why the body is no JSON in UTF-8, and at which byte */
  body_error?: { code: string; byte: number; message: string }
  /** of a 422 of the ERP API when details were requested */
  details?: ResultDetails
  /** of a 409 of a full sync: the one that is open, or what would be deactivated */
  full_sync?: unknown
  counts?: unknown
  /** of a 400 of a preview: what was read of the file */
  preview?: unknown
}

/** A response that is not a success. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  readonly errors: Record<string, string[]>
  readonly violations: FieldViolation[]
  readonly by: Referrer[]
  readonly current: unknown
  /** of a 412: the revision of `current`, for the next `ifMatch` */
  readonly etag: string | null
  /** the whole body; empty when the response is not from Partsbus */
  readonly body: ErrorBody
  /** to quote when asking for help */
  readonly requestId: string | null
  /** seconds after which the request may be repeated */
  readonly retryAfter: number | null

  constructor(status: number, body: ErrorBody, headers: Headers) {
    super(body.message ?? `HTTP ${status}`)
    this.status = status
    this.errors = body.errors ?? {}
    this.violations = body.violations ?? []
    this.by = body.by ?? []
    this.current = body.current
    this.etag = headers.get('etag')
    this.body = body
    this.requestId = headers.get('x-request-id')
    const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
    this.retryAfter = Number.isNaN(seconds) ? null : seconds
  }
}

export async function answerError(response: Response): Promise<AnswerError> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // a proxy in between answers in its own way
  }
  const isBody = typeof body === 'object' && body !== null
  return new AnswerError(response.status, isBody ? (body as ErrorBody) : {}, response.headers)
}
