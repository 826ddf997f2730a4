import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Requests whose client waits for "100 Continue" before it sends the body. */
const waiting = new WeakSet<IncomingMessage>()

/**
 * Holds "100 Continue" back until the body is really wanted. Node by itself says it at once,
 * and the client of a refused request then sends all of its body.
 */
export function deferContinue(
  server: Server,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request)
    route(request, response)
  })
  // any other expectation may be ignored (RFC 9110, 10.1.1)
  server.on('checkExpectation', route)
}

/** Asks for the body, where the client waits to be asked. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
