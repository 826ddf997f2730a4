import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Route = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that are not answered yet. */
const MAX_PIPELINED = 16

/**
 * Closes a connection that sends many requests without waiting for the answers (rules.md#overload). Node hands over all
 * requests of up to 64 KiB in one step, some 650, in which nobody else is served; of a closed connection it only
 * parses them.
 * @returns the route for each listener of the server that routes requests
 */
export function limitPipelining(server: Server, route: Route): Route {
  const unanswered = new WeakMap<Socket, number>()
  const limited: Route = (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MAX_PIPELINED) return void socket.destroy()
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    route(request, response)
  }
  server.off('request', route).on('request', limited)
  return limited
}
