import { type Agent, type ClientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** from the first byte sent to the last byte received */
  ms: number
}

export interface HttpRequest {
  agent: Agent
  method: string
  url: string
  /** also names and values in turn, in which a name may be repeated; Host is one of them then */
  headers: OutgoingHttpHeaders | readonly string[]
  /** sends the body and ends the request; `fail` ends it with an error */
  write(sent: ClientRequest, fail: (error: Error) => void): void
  /** until the last byte of the answer */
  withinMs?: number
  /** without a byte */
  silenceMs?: number
}

/** An error of a request on a connection that was used before: the other side may have closed it meanwhile. */
export class StaleConnection extends Error {}

/** Errors of a kept connection that the other side closed while nothing was sent. */
const CLOSED = ['EPIPE', 'ECONNRESET']

/**
 * Sends any request, valid or not, by node:http, and reads the whole answer.
 * @throws StaleConnection, or Error without a complete answer
 */
export function exchangeHttp({ agent, method, url, headers, write, withinMs, silenceMs }: HttpRequest) {
  return new Promise<HttpAnswer>((done, fail) => {
    const started = performance.now()
    const sent = request(url, {
      method,
      agent,
      headers: headers as OutgoingHttpHeaders,
      ...(silenceMs !== undefined && { timeout: silenceMs }),
    })
    const late =
      withinMs === undefined
        ? undefined
        : setTimeout(() => sent.destroy(new Error(`No answer within ${withinMs} ms: ${method} ${url}`)), withinMs)
    sent.once('close', () => clearTimeout(late))
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${url} was silent for ${silenceMs} ms`)))
    sent.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        sent.reusedSocket && CLOSED.includes(error.code ?? '')
          ? new StaleConnection(error.message, { cause: error })
          : error,
      ),
    )
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', fail)
      response.once('aborted', () => fail(new Error(`The answer broke off: ${method} ${url}`)))
      response.once('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
          ms: performance.now() - started,
        }),
      )
    })
    write(sent, fail)
  })
}
