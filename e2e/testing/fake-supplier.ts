import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string | string[] | undefined>
  /** parsed JSON, or undefined without a body */
  body: unknown
}

export type Reply = (asked: Asked, response: ServerResponse) => void

/** A supplier on loopback with configurable responses, which records its requests. */
export interface FakeSupplier {
  url: string
  asked: Asked[]
  /** Sets the response. */
  says(reply: Reply): void
  /** Sets the offered rows, in the dialect `standard` (admin.md#supplier). */
  holds(rows: { brands?: unknown[]; parts?: unknown[] }): void
  close(): Promise<void>
}

export async function startFakeSupplier(): Promise<FakeSupplier> {
  let reply: Reply = (_asked, response) => sendJson(response, [])
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://supplier')
    const text = (await request.setEncoding('utf8').toArray()).join('')
    const each = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    }
    asked.push(each)
    reply(each, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    says: (next) => {
      reply = next
    },
    holds: ({ brands = [], parts = [] }) => {
      reply = ({ path }, response) => sendJson(response, path === '/brands' ? brands : parts)
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
