import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Http suppliers of the standard dialect that all answer after the same time. */
export interface FakeSuppliers {
  urls: string[]
  /** milliseconds that the slowest took since the last call, from the request's arrival to the answer */
  slowest(): number
  /** index of the one that never answers; -1: all do */
  dead: number
  close(): Promise<void>
}

export async function startFakeSuppliers(count: number, answerAfterMs: number): Promise<FakeSuppliers> {
  let slowest = 0
  const servers: Server[] = []
  const suppliers: FakeSuppliers = {
    urls: [],
    dead: -1,
    slowest() {
      const ms = slowest
      slowest = 0
      return ms
    },
    async close() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
  for (let index = 0; index < count; index += 1) {
    const server = createServer((request, response) => {
      const start = performance.now()
      void readBody(request).then(({ article }) => {
        if (suppliers.dead === index) return
        setTimeout(() => {
          slowest = Math.max(slowest, performance.now() - start)
          response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request.url ?? '', article, index)))
        }, answerAfterMs)
      }, () => response.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    suppliers.urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  return suppliers
}

/** Three brands, and an offer of each. */
function answerTo(url: string, article: string, index: number): unknown[] {
  return ['BOSCH', 'KNECHT', 'MANN'].map((brand, at) => {
    const pair = { brand, article, name: `${brand} filter` }
    return url.endsWith('/parts') ? { ...pair, quantity: 1 + index, price: 100 + index + at, delivery_days: index % 5 } : pair
  })
}

async function readBody(request: IncomingMessage): Promise<{ article: string }> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as { article: string }
}
