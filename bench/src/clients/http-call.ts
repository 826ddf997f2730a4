import type { Agent } from 'node:http'
import { exchangeHttp, type HttpAnswer, type HttpRequest, StaleConnection } from '@partsbus/test-kit/http-exchange'

/** Without a byte for so long, a request fails: a benchmark that runs unattended must not wait forever. */
const SILENCE_MS = 180_000

export interface TextAnswer extends Pick<HttpAnswer, 'status' | 'headers'> {
  body: string
}

/**
 * Sends a request and reads its answer. A request on a kept connection that the other side had closed is repeated: the
 * calls of the ERP and of partners may be, and the agent has removed that connection.
 */
export async function callHttp(call: HttpRequest): Promise<TextAnswer> {
  try {
    const { status, headers, bytes } = await exchangeHttp({ ...call, silenceMs: SILENCE_MS })
    return { status, headers, body: bytes.toString('utf8') }
  } catch (error) {
    if (error instanceof StaleConnection) return callHttp(call)
    throw error
  }
}

/** Sends a request with a token. */
export function send(
  agent: Agent,
  method: string,
  url: string,
  token: string,
  body?: string | Buffer,
  extra: Record<string, string> = {},
): Promise<TextAnswer> {
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const headers = { authorization: `Bearer ${token}`, ...type, ...extra }
  return callHttp({ agent, method, url, headers, write: (sent) => sent.end(body) })
}
