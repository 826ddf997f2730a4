import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { closeSlowReaders } from './slow-readers.js'

const MIB = 1024 * 1024

let server: Server
let responses: Map<string, ServerResponse>
let clients: Socket[]

beforeEach(async () => {
  responses = new Map()
  clients = []
  server = createServer(({ url = '' }, response) => responses.set(url, response))
  closeSlowReaders(server, 200)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  server.close()
})

/** Requests of one connection whose client reads everything, or nothing. */
async function request(isReading: boolean, ...paths: string[]): Promise<ServerResponse[]> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  if (isReading) client.resume()
  else client.pause()
  clients.push(client)
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await waitUntil(() => paths.every((path) => responses.has(path)), { withinMs: 20_000 })
  return paths.map((path) => responses.get(path) as ServerResponse)
}

describe('connections whose clients do not read (rules.md#overload)', () => {
  it('are closed, and those of clients that read are not', async () => {
    const [unread] = await request(false, '/unread')
    const [read] = await request(true, '/read')
    const { socket } = unread!
    unread!.end(Buffer.alloc(32 * MIB))
    const feeding = setInterval(() => read!.write(Buffer.alloc(MIB)), 20)
    expect(await waitUntil(() => socket!.destroyed, { withinMs: 20_000 })).toBe(true)
    clearInterval(feeding)
    expect(read!.socket!.destroyed).toBe(false)
  })

  it('are closed with all responses that wait for their turn', async () => {
    const pipelined = await request(false, '/a', '/b', '/c')
    const { socket } = pipelined[0]!
    for (const response of pipelined.toReversed()) response.end(Buffer.alloc(16 * MIB))
    expect(await waitUntil(() => socket!.destroyed, { withinMs: 20_000 })).toBe(true)
  })

  it('stay open while a response is being made, also with others behind it', async () => {
    const [made, waiting] = await request(false, '/made', '/waiting')
    const [unread] = await request(false, '/unread')
    waiting!.end(Buffer.alloc(MIB))
    unread!.end(Buffer.alloc(32 * MIB))
    // several windows have passed when the client that reads nothing is disconnected
    const { socket } = unread!
    expect(await waitUntil(() => socket!.destroyed, { withinMs: 20_000 })).toBe(true)
    expect(made!.socket!.destroyed).toBe(false)
  })
})
