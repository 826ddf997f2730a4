import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Supplier } from '@partsbus/contracts/stock/storage'

/** One request as the supplier received it. */
export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  /** parsed when it was JSON */
  body: unknown
}

type Answer = (request: Received, response: ServerResponse) => void | Promise<void>

/** A supplier on a port of its own. */
export interface FakeSupplier {
  url: string
  received: Received[]
  /** connections made so far */
  connections(): number
  /** connections that are open now */
  open(): number
  /** requests whose connection was closed before they were answered */
  aborted(): number
  answers(answer: Answer): void
  /** sets the rows of both lists of the dialect `standard` (admin.md#supplier), for every request */
  holds(rows: { brands?: unknown; parts?: unknown }): void
  /** the supplier of a storage at this address; nothing is cached by default */
  supplier(more?: Partial<Extract<Supplier, { kind: 'http' }>>): Supplier
  stop(): Promise<void>
}

export async function startFakeSupplier(): Promise<FakeSupplier> {
  let answer: Answer = (_request, response) => json(response, [])
  let aborted = 0
  let connections = 0
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://supplier')
    const text = (await request.setEncoding('utf8').toArray()).join('')
    const each: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    received.push(each)
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1
    })
    await answer(each, response)
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    received,
    connections: () => connections,
    open: () => sockets.size,
    aborted: () => aborted,
    answers: (next) => {
      answer = next
    },
    holds: ({ brands = [], parts = [] }) => {
      answer = ({ path }, response) => json(response, path.endsWith('/brands') ? brands : parts)
    },
    supplier: (more) => ({
      kind: 'http',
      base_url: url,
      headers: {},
      timeout_ms: 4_000,
      cache_seconds: 0,
      dialect: 'standard',
      ...more,
    }),
    stop: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
