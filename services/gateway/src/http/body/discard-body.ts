import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** What is still taken in of a body that was refused (rules.md#unread-bodies). */
const DISCARD_BYTES = 1024 * 1024
const DISCARD_MS = 1_000

/** True when the headers say that a body follows. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** True when a body was announced that has not fully arrived. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return announcesBody(request) && !request.complete
}

/**
 * An answer that is sent whole at once but ends only when the rest of the body was thrown away, or a second has passed.
 * Closing at once, with bytes of the client unread, would reset the connection and could take the answer with it.
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
      // from here on the sender is held back, and has the rest of the second to read its answer
      if (left <= 0) request.pause()
    }
    request.on('data', count)
    for (const event of ['end', 'close', 'error']) request.once(event, finish)
    if (request.destroyed || request.readableEnded) finish()
  })
}
