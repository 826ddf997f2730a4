import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request as the supplier received it. */
export interface SupplierRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingHttpHeaders
  /** parsed JSON, or undefined without a body */
  body: unknown
}

export type SupplierHandler = (request: SupplierRequest, response: ServerResponse) => void | Promise<void>

/** An HTTP supplier on loopback with configurable responses, which records its requests. */
export interface FakeSupplier {
  url: string
  requests: SupplierRequest[]
  /** number of connections made so far */
  connections(): number
  /** number of connections that are open now */
  openConnections(): number
  /** number of requests whose connection was closed before they were answered */
  aborted(): number
  /** Sets the handler of all requests. */
  respond(handler: SupplierHandler): void
  /** Sets the rows of both lists of the dialect `standard` (admin.md#supplier). */
  offer(rows: { brands?: unknown[]; parts?: unknown[] }): void
  close(): Promise<void>
}

export async function startFakeSupplier(): Promise<FakeSupplier> {
  let handler: SupplierHandler = (_request, response) => sendJson(response, [])
  let aborted = 0
  let connections = 0
  const requests: SupplierRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://supplier')
    const text = (await incoming.setEncoding('utf8').toArray()).join('')
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: incoming.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
    requests.push(request)
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1
    })
    await handler(request, response)
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    openConnections: () => sockets.size,
    aborted: () => aborted,
    respond: (next) => {
      handler = next
    },
    offer: ({ brands = [], parts = [] }) => {
      handler = ({ path }, response) => sendJson(response, path.endsWith('/brands') ? brands : parts)
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}

/** Text is sent unchanged, for JSON that JSON.stringify cannot write. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}
