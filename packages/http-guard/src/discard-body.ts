import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** How much of a refused body is still received (rules.md#unread-bodies). */
const DISCARD_BYTES = 1024 * 1024
const DISCARD_MS = 1_000
/** A body of this size usually arrives together with its headers. */
const SMALL_BYTES = 64 * 1024

/** True when the headers announce a body. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** True when a body was announced that has not fully arrived. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return announcesBody(request) && !request.complete
}

/** True when so little was announced that receiving it costs less than a new connection. */
export function hasSmallBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BYTES
  )
}

/** Closes the connection of a request that was responded to, unless the rest of its body arrives within a second. */
export function closeUnlessComplete(request: IncomingMessage): void {
  request.resume()
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, DISCARD_MS).unref()
  request.once('end', () => clearTimeout(timer))
}

/**
 * A response that is sent at once but ends only when the rest of the request body was discarded, or after a second.
 * Closing a connection with unread bytes resets it, and the client could lose the response.
 */
export function respondThenDiscard(request: IncomingMessage, body: string): Readable {
  return Readable.from(parts(request, Buffer.from(body)))
}

async function* parts(request: IncomingMessage, body: Buffer): AsyncGenerator<Buffer> {
  yield body
  await discard(request)
}

function discard(request: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    let left = DISCARD_BYTES
    const timer = setTimeout(finish, DISCARD_MS)
    function finish(): void {
      clearTimeout(timer)
      request.off('data', count)
      done()
    }
    function count(chunk: Buffer): void {
      left -= chunk.length
      // backpressure stops the sender, which has the rest of the second to read the response
      if (left <= 0) request.pause()
    }
    request.on('data', count)
    for (const event of ['end', 'close', 'error']) request.once(event, finish)
    if (request.destroyed || request.readableEnded) finish()
  })
}
