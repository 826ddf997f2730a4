import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Reach } from '@partsbus/platform/net/address-guard'
import { HeldReplies, ReplyMemory, SupplierMemory } from './reply-memory.js'
import { SupplierTransport } from './transport.js'

const server = createServer((_request, response) => {
  response.end('[]')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(
  () =>
    new Promise((done) => {
      server.close(done)
      server.closeAllConnections()
    }),
)

/** @returns what a question to this host came to */
async function ask(baseUrl: string, reach: Reach, allowed: string[] = []): Promise<string> {
  const transport = new SupplierTransport({ reach, allowedHosts: allowed })
  try {
    const { status } = await transport.send(
      baseUrl,
      { method: 'GET', path: '/', headers: {} },
      AbortSignal.timeout(5_000),
      new HeldReplies(new SupplierMemory(new ReplyMemory())),
    )
    return `HTTP ${status}`
  } catch (error) {
    return (error as Error).message
  } finally {
    await transport.close()
  }
}

const refused = (host: string) => `The address of ${host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.`

// rules.md#suppliers-guard, admin.md#addresses
describe('addresses of suppliers (docs/decisions/0006-supplier-addresses.md)', () => {
  it.each([['127.0.0.1'], ['localhost'], ['2130706433']])(
    'without the guard an administrator may name a private one: %s',
    async (host) => {
      expect(await ask(`http://${host}:${port}`, 'private')).toBe('HTTP 200')
    },
  )

  it.each([
    ['169.254.169.254', '169.254.169.254'],
    ['2852039166', '169.254.169.254'],
    ['[fe80::1]', 'fe80::1'],
    ['[::ffff:169.254.169.254]', '::ffff:a9fe:a9fe'],
    ['[fd00:ec2::254]', 'fd00:ec2::254'],
  ])('but none of cloud metadata: %s', async (host, shown) => {
    expect(await ask(`http://${host}`, 'private')).toBe(refused(shown))
  })

  it.each<[string, string[], boolean]>([
    ['127.0.0.1', [], false],
    ['127.0.0.1', ['127.0.0.1'], true],
    ['127.0.0.1', ['127.0.0.0/8'], true],
    ['127.0.0.1', ['10.0.0.0/8'], false],
    ['localhost', [], false],
    ['localhost', ['LocalHost'], true],
    ['localhost', ['127.0.0.0/8', '::1'], true],
    ['localhost', ['other.example'], false],
    ['localhost', ['localhost:1'], false],
  ])('with the guard %s is asked only when it is allowed; by %j: %s', async (host, allowed, expected) => {
    expect(await ask(`http://${host}:${port}`, 'public', allowed)).toBe(expected ? 'HTTP 200' : refused(host))
  })

  it('opens only the port of an entry with a port', async () => {
    expect(await ask(`http://localhost:${port}`, 'public', [`localhost:${port}`])).toBe('HTTP 200')
  })
})

it.each([
  ['a switch of protocols', '101 Switching Protocols', 'is not one that HTTP allows here.'],
  ['an early hint and no more', '103 Early Hints', 'was closed before the answer was complete.'],
])('says what is wrong with an answer that is %s', async (_what, head, reason) => {
  const odd = createTcpServer((socket) => socket.once('data', () => socket.end(`HTTP/1.1 ${head}\r\n\r\n`)))
  await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done))
  try {
    expect(await ask(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`, 'private')).toContain(reason)
  } finally {
    odd.close()
  }
})
