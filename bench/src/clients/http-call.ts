import { type Agent, type OutgoingHttpHeaders, request } from 'node:http'

/** Without a byte for so long, a request fails: a benchmark that runs unattended must not wait forever. */
const SILENCE_MS = 180_000
/** Errors of a kept connection that the gateway closed while nothing was sent. */
const CLOSED = ['EPIPE', 'ECONNRESET']

export interface HttpAnswer {
  status: number
  body: string
  headers: NodeJS.Dict<string | string[]>
}

export interface HttpCall {
  agent: Agent
  method: string
  url: string
  headers: OutgoingHttpHeaders
  /** Sends the body and ends the request. It is called again when the request is repeated. */
  write(sent: ReturnType<typeof request>, fail: (error: Error) => void): void
}

/**
 * Sends a request and reads its answer. A request on a kept connection that the other side had closed is repeated: the
 * calls of the ERP and of partners may be, and the agent has removed that connection.
 */
export function callHttp(call: HttpCall): Promise<HttpAnswer> {
  return new Promise((done, fail) => {
    const { agent, method, url, headers, write } = call
    const sent = request(url, { method, agent, headers, timeout: SILENCE_MS }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString('utf8'),
          headers: response.headers,
        }),
      )
      response.on('error', fail)
    })
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${url} was silent for ${SILENCE_MS / 1_000} s`)))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && CLOSED.includes(error.code ?? '')) done(callHttp(call))
      else fail(error)
    })
    write(sent, fail)
  })
}
