import { type Answer, ask } from './send-request.js'

/** A response to the browser of an administrator; `body` is parsed JSON. */
export interface BrowserAnswer {
  status: number
  body: Record<string, unknown>
  headers: Answer['headers']
}

/** Sends requests to the admin API as a page of the gateway does, and stores the cookie of the session. */
export class AdminBrowser {
  cookie: string | undefined
  private readonly port: number
  private readonly from: string

  /** @param from the client's address, one of 127.0.0.0/8 */
  constructor(port: number, from = '127.0.0.1') {
    this.port = port
    this.from = from
  }

  /** The same browser at another gateway. */
  at(port: number): AdminBrowser {
    const other = new AdminBrowser(port, this.from)
    other.cookie = this.cookie
    return other
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<BrowserAnswer> {
    const answer = await ask(this.port, {
      method,
      url: `/api/admin${path}`,
      from: this.from,
      headers: {
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const [sent] = answer.headers['set-cookie'] ?? []
    if (sent !== undefined) this.cookie = sent.split(';')[0]
    return {
      status: answer.statusCode,
      body: answer.body === '' ? {} : (answer.json() as Record<string, unknown>),
      headers: answer.headers,
    }
  }

  async status(path = '/session'): Promise<number> {
    return (await this.send('GET', path)).status
  }
}
