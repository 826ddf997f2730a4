import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Route = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that are not answered yet. */
const MAX_PIPELINED = 16

/** The callbacks of Node's parser for headers, complete headers, bodies and complete messages. */
const PARSER_CALLBACKS = [1, 2, 3, 4] as const
type Parser = Record<(typeof PARSER_CALLBACKS)[number], unknown>

/**
 * Closes a connection that sends many requests without waiting for the answers (rules.md#overload). Node hands over all
 * requests of up to 64 KiB in one step, some 3,000, in which nobody else is served; of a closed connection nothing more
 * is read.
 * @returns the route for each listener of the server that routes requests
 */
export function limitPipelining(server: Server, route: Route): Route {
  const unanswered = new WeakMap<Socket, number>()
  const limited: Route = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MAX_PIPELINED) return close(socket)
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    route(request, response)
  }
  server.off('request', route).on('request', limited)
  return limited
}

/**
 * Closes a connection in the middle of what it sent. Node's parser goes on to the end of the 64 KiB and makes objects
 * of each request, for which there is no option: 60 connections took 7 to 14 s. Without its callbacks it takes 0.2 s.
 * Parsers are used again for other connections, so they get them back.
 */
function close(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null }
  if (parser) {
    const callbacks = PARSER_CALLBACKS.map((callback) => [callback, parser[callback]] as const)
    for (const callback of PARSER_CALLBACKS) parser[callback] = () => 0
    // before Node's own listener returns the parser
    socket.prependOnceListener('close', () => {
      for (const [callback, own] of callbacks) parser[callback] = own
    })
  }
  socket.destroy()
}
