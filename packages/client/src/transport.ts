import { answerError } from './answer-error.js'
import { type RepeatedAfter, type RetryOptions, withRetries } from './retry.js'
import { sendForm, type UploadProgress } from './send-form.js'

export interface ClientOptions {
  /** of the gateway; empty in a browser whose page came from it */
  baseUrl: string
  /** absent in a browser with a session */
  token?: string
  fetch?: typeof fetch
  /** compares each answer with the schemas of the contract, which are loaded then */
  validate?: boolean
  /** false: no call is made again */
  retry?: RetryOptions | false
}

export interface RequestOptions {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  /** the body as JSON, in place of `body` */
  json?: string
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

export interface FormOptions extends RequestOptions {
  /** a `File`, or a `Blob` with a name */
  file: Blob
  fileName?: string
  fields?: Record<string, string | number> | undefined
  onProgress?: UploadProgress | undefined
}

/** The answer with what the headers say. */
export interface Exchange<Answer> {
  answer: Answer
  /** the revision, for `ifMatch` */
  etag: string | null
  requestId: string | null
}

export interface Transport {
  /** @param path method and path, like `GET /price-lists/:id` */
  request(path: string, repeatedAfter: RepeatedAfter, options?: RequestOptions): Promise<Exchange<unknown>>
  upload(path: string, options: FormOptions): Promise<Exchange<unknown>>
  url(path: string, options?: RequestOptions): string
}

export function optionalHeader(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

export function createTransport(
  api: 'admin' | 'erp' | 'b2b',
  { baseUrl, token, validate, retry, ...rest }: ClientOptions,
): Transport {
  const base = `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/api/${api}`
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  // a browser's fetch works only as a method of the window
  const send = rest.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  const url: Transport['url'] = (path, { params = {}, query = {} } = {}) => {
    const values = params as Record<string, unknown>
    const filled = path
      .slice(path.indexOf(' ') + 1)
      .replaceAll(/:(\w+)|\*/g, (_, name: string | undefined) => encodeURIComponent(String(values[name ?? 'erp_id'])))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const item of [value].flat()) if (item !== undefined && item !== null) search.append(name, String(item))
    }
    return `${base}${filled}${search.size > 0 ? `?${search}` : ''}`
  }

  const receive = async (path: string, response: Response): Promise<Exchange<unknown>> => {
    if (!response.ok) throw await answerError(response)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const answer: unknown = isJson ? await response.json() : response.status === 204 ? undefined : response
    if (validate && isJson) {
      const { validateAnswer } = await import('./validate-answer.js')
      validateAnswer(api, path, answer)
    }
    return { answer, etag: response.headers.get('etag'), requestId: response.headers.get('x-request-id') }
  }

  return {
    url,
    request(path, repeatedAfter, options = {}) {
      const { body, headers, signal } = options
      const json = options.json ?? (body === undefined ? undefined : JSON.stringify(body))
      const init: RequestInit = {
        method: path.slice(0, path.indexOf(' ')),
        headers: { ...authorization, ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(json !== undefined && { body: json }),
        ...(signal && { signal }),
      }
      const exchange = async () => receive(path, await send(url(path, options), init))
      return withRetries(exchange, repeatedAfter, retry, signal)
    },
    upload(path, options) {
      const form = new FormData()
      for (const [name, value] of Object.entries(options.fields ?? {})) form.append(name, String(value))
      form.append('document', options.file, options.fileName ?? (options.file as File).name ?? 'file')
      const headers = { ...authorization, ...options.headers }
      const request = { ...options, form, headers, fetch: rest.fetch }
      const exchange = async () => receive(path, await sendForm(url(path, options), request))
      return withRetries(exchange, 'refusal', retry, options.signal)
    },
  }
}
