import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Requests whose client waits for "100 Continue" before it sends the body. */
const waiting = new WeakSet<IncomingMessage>()

/**
 * Defers "100 Continue" until a route reads the body. Node sends it at once by default, and the client of a refused
 * request would then send all of its body.
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

/** Asks for the body when the client waits for that. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue()
}
