import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '@partsbus/platform/process/log'
import { RefusalLog } from '@partsbus/http-guard/refusal-log'
import { requestId } from './request-scope.js'

const responses: Record<string, { status: number; reason: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The request headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    message: 'The request did not arrive in time.',
  },
}
const malformed = { status: 400, reason: 'Bad Request', message: 'The request is malformed.' }
/** How long the client may take to read the response, in ms. */
const LINGER_MS = 1_000

/** Responds to bytes that are not an HTTP request, or did not become one in time, and closes the connection. */
export function createClientErrorHandler(log: Log): (error: Error & { code?: string }, socket: Socket) => void {
  const refusals = new RefusalLog(log)
  return (error, socket) => {
    const response = responseInProgress(socket)
    // a second head would be read as the body of the response in progress
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
      socket.destroy()
      return
    }
    const { status, reason, message } = responses[error.code ?? ''] ?? malformed
    const id = response ? requestId(response.req) : randomUUID()
    const isB2b = response?.req.url?.startsWith('/api/b2b/') === true
    const body = JSON.stringify({ ...(isB2b && { result: false }), message })
    if (refusals.admits(socket.remoteAddress))
      log.info({ request_id: id, status, error_code: error.code, client: socket.remoteAddress }, 'request refused')
    socket.end(
      [
        `HTTP/1.1 ${status} ${reason}`,
        `x-request-id: ${id}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

/** Node stores the response of the current request on the socket (undocumented; the specs notice when it changes). */
function responseInProgress(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}
