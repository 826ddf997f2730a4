import { Agent } from 'node:http'
import { exchangeHttp, type HttpAnswer } from '@partsbus/test-kit/http-exchange'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Alternating names and values; a name may be repeated, as `http.request` allows. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface ApiResponse<Body = unknown> extends HttpAnswer {
  text: string
  /** the parsed JSON, or undefined when the response is not JSON */
  body: Body
}

export interface ApiRequest {
  /** strings and bytes are sent unchanged, other values as JSON */
  body?: unknown
  headers?: Record<string, string> | HeaderList
  timeoutMs?: number
}

/** A client for one URL prefix of the product with fixed headers. Throws only without a complete response. */
export class ApiClient {
  constructor(
    private readonly base: string,
    private readonly fixed: Record<string, string> = {},
    private readonly agent: Agent = new Agent({ keepAlive: true, maxSockets: 64 }),
  ) {}

  get<Body = unknown>(path: string, question?: ApiRequest): Promise<ApiResponse<Body>> {
    return this.send('GET', path, question)
  }

  post<Body = unknown>(path: string, body?: unknown, headers?: ApiRequest['headers']): Promise<ApiResponse<Body>> {
    return this.send('POST', path, { body, headers })
  }

  patch<Body = unknown>(path: string, body: unknown): Promise<ApiResponse<Body>> {
    return this.send('PATCH', path, { body })
  }

  delete<Body = unknown>(path: string): Promise<ApiResponse<Body>> {
    return this.send('DELETE', path)
  }

  async send<Body = unknown>(method: Method, path: string, question: ApiRequest = {}): Promise<ApiResponse<Body>> {
    const { body } = question
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    const payload = body === undefined ? undefined : isRaw ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
    const own = headerList(question.headers)
    const names = new Set(own.map(([name]) => name.toLowerCase()))
    const list: (readonly [string, string])[] = [...headerList(this.fixed).filter(([name]) => !names.has(name)), ...own]
    if (payload !== undefined && !isRaw && !names.has('content-type')) list.push(['content-type', 'application/json'])
    if (payload !== undefined) list.push(['content-length', String(payload.length)])
    const url = `${this.base}${path}`
    const answer = await exchangeHttp({
      agent: this.agent,
      method,
      url,
      // a list of names and values keeps repeated names, but then Node does not add Host
      headers: [['host', new URL(url).host] as const, ...list].flat(),
      write: (sent) => sent.end(payload),
      withinMs: question.timeoutMs ?? 60_000,
    })
    const text = answer.bytes.toString('utf8')
    return { ...answer, text, body: parsed(text) as Body }
  }

  /** The same client with another authorization. */
  as(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.base, headers, this.agent)
  }

  close(): void {
    this.agent.destroy()
  }
}

function headerList(headers: ApiRequest['headers']): HeaderList {
  if (headers === undefined) return []
  return Array.isArray(headers) ? (headers as HeaderList) : Object.entries(headers)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
