import { prefix } from './page-address.js'

/** An answer that is not a success. */
export class AnswerError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: Record<string, string[]>,
    readonly violations: Violation[],
    readonly by: Referrer[],
    readonly requestId: string | null,
    readonly retryAfter: number | null,
    readonly current: unknown,
  ) {
    super(message)
    this.name = 'AnswerError'
  }
}

export interface Violation {
  path: string
  rule: string
  limit?: number
}

export interface Referrer {
  kind: string
  id: number | string
  name: string
}

export interface CallOptions {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly (string | number)[] | undefined>
  body?: unknown
  ifMatch?: string
  signal?: AbortSignal
}

/** `admin('GET /price-lists/:id', { params: { id: 7 } })`. */
export async function admin<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  return (await exchange<Answer>(path, options)).answer
}

export async function exchange<Answer>(path: string, options: CallOptions = {}) {
  const [method = 'GET', pattern = ''] = path.split(' ')
  const response = await fetch(addressOf(pattern, options), {
    method,
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  })
  const answer = response.headers.get('content-type')?.includes('json') ? await response.json() : undefined
  if (!response.ok) throw errorOf(response, answer)
  return { answer: answer as Answer, etag: response.headers.get('etag') }
}

function addressOf(pattern: string, { params = {}, query = {} }: CallOptions) {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  }
  return `${prefix}/api/admin${path}${search.size > 0 ? `?${search}` : ''}`
}

function errorOf(response: Response, answer: Partial<AnswerError> | undefined) {
  const retryAfter = response.headers.get('retry-after')
  return new AnswerError(
    response.status,
    answer?.message ?? response.statusText,
    answer?.errors ?? {},
    answer?.violations ?? Object.keys(answer?.errors ?? {}).map((path) => ({ path, rule: '' })),
    answer?.by ?? [],
    response.headers.get('x-request-id'),
    retryAfter === null ? null : Number(retryAfter),
    answer?.current,
  )
}
