import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const answers: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time.' },
}
const malformed = { status: '400 Bad Request', message: 'The request is malformed.' }

/** Answers what is no HTTP request, or did not become one in time, and closes the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answerStarted(socket)) {
    socket.destroy()
    return
  }
  const { status, message } = answers[error.code ?? ''] ?? malformed
  const body = JSON.stringify({ ...(isForPartners(socket) && { result: false }), message })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      `x-request-id: ${randomUUID()}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  setTimeout(() => socket.destroy(), 1_000).unref()
}

/** Node keeps the answer in progress on the socket; a second head behind it would be read as its body. */
function answerStarted(socket: Socket): boolean {
  return answerOf(socket)?.headersSent === true
}

/** A request that broke off in its body has told whose it is; errors of the partner API have a form of their own. */
function isForPartners(socket: Socket): boolean {
  return answerOf(socket)?.req.url?.startsWith('/api/b2b/') === true
}

function answerOf(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}
