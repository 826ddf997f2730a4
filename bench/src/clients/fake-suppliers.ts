import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** HTTP suppliers of the standard dialect that answer after a fixed time. */
export interface FakeSuppliers {
  urls: string[]
  /** the longest time since the last call, in ms, from the arrival of a request to its response */
  slowest(): number
  /** index of the supplier that never answers; -1 if all answer */
  dead: number
  close(): Promise<void>
}

/*
 * Real suppliers run on other machines, so these must use little processor time: they split requests in the bytes of a
 * connection and write prepared responses, which costs a fraction of an HTTP server.
 */
export async function startFakeSuppliers(count: number, answerAfterMs: number): Promise<FakeSuppliers> {
  let slowest = 0
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const suppliers: FakeSuppliers = {
    urls: [],
    dead: -1,
    slowest() {
      const ms = slowest
      slowest = 0
      return ms
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      for (const server of servers) server.close()
    },
  }
  const answer = (socket: Socket, index: number, request: string): void => {
    const start = performance.now()
    if (suppliers.dead === index) return
    setTimeout(() => {
      slowest = Math.max(slowest, performance.now() - start)
      socket.write(answerTo(request, index))
    }, answerAfterMs)
  }
  for (let index = 0; index < count; index += 1) {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.setNoDelay(true).setEncoding('latin1')
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
      let received = ''
      socket.on('data', (text: string) => {
        received += text
        for (let end = endOfRequest(received); end > 0; end = endOfRequest(received)) {
          answer(socket, index, received.slice(0, end))
          received = received.slice(end)
        }
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    suppliers.urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  return suppliers
}

/** @returns the end of the first complete request, or 0 */
function endOfRequest(received: string): number {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const end = head + 4 + Number(/content-length: *(\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
  return received.length >= end ? end : 0
}

/** Three brands, and an offer of each. */
function answerTo(request: string, index: number): string {
  const article = /"article":"([^"]*)"/.exec(request)?.[1] ?? ''
  const isParts = request.startsWith('POST /parts')
  const body = JSON.stringify(
    ['BOSCH', 'KNECHT', 'MANN'].map((brand, at) => {
      const pair = { brand, article, name: `${brand} filter` }
      return isParts ? { ...pair, quantity: 1 + index, price: 100 + index + at, delivery_days: index % 5 } : pair
    }),
  )
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
