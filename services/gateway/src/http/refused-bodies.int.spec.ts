import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deactivateProducts } from '@partsbus/contracts/catalog/commands'
import { openConnection, type RawConnection } from '../testing/raw-connection.js'
import { administer, answerCommand, openRealStage } from '../testing/gateway-stage.js'

const MIB = 1024 * 1024
/** a second (rules.md#unread-bodies), and the delays of a busy machine */
const CLOSED_WITHIN_MS = 8_000
const chunk = Buffer.alloc(64 * 1024, ' ')

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let token: string

beforeAll(async () => {
  stage = await openRealStage('refused_bodies')
  port = (await stage.startGateway()).port
  await administer(port, 'PATCH', '/settings', { erp_enabled: true })
  token = (await administer(port, 'POST', '/settings/erp-token')).body.token as string
  answerCommand(stage.nc, deactivateProducts, ({ body }) => ({
    requested: body.ids_erp.length,
    deactivated: 0,
    not_found: [],
  }))
  await stage.nc.flush()
})
afterAll(() => stage?.close())

function head(headers: string[], path = '/api/erp/products/delete'): string {
  return [`POST ${path} HTTP/1.1`, 'Host: gateway', ...headers, '', ''].join('\r\n')
}

/** Sends `bytes` as fast as the other side takes them, until it closes. @returns how many left */
async function push({ socket }: RawConnection, bytes: number, chunked = false): Promise<number> {
  let sent = 0
  while (sent < bytes && !socket.destroyed && socket.writable) {
    const flowing = socket.write(
      chunked ? Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]) : chunk,
    )
    sent += chunk.length
    if (!flowing) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
  }
  return sent - socket.writableLength
}

const refusals: Array<[what: string, headers: () => string[], status: number, message: string]> = [
  [
    'without a token',
    () => ['Content-Type: application/json', `Content-Length: ${100 * MIB}`],
    401,
    'Missing or invalid Authorization header.',
  ],
  [
    'with a wrong token, in chunks',
    () => ['Authorization: Bearer wrong', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    401,
    'Invalid ERP API token.',
  ],
  [
    'of another media type',
    () => [`Authorization: Bearer ${token}`, 'Content-Type: text/plain', `Content-Length: ${100 * MIB}`],
    415,
    'The media type must be application/json. Send it in the header Content-Type.',
  ],
  [
    'above the limit (bad-inputs.md#input-11)',
    () => [`Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${100 * MIB}`],
    413,
    `The request body must not be greater than ${8 * MIB} bytes. Send it in several requests.`,
  ],
]

describe('a refused body (rules.md#unread-bodies, promises.md#promise-6)', () => {
  it.each(refusals)(
    'of 100 MB %s: the answer arrives, the connection closes soon, memory stays flat',
    async (_what, headers, status, message) => {
      const before = process.memoryUsage().rss
      const connection = await openConnection(port, head(headers()))
      const pushed = push(connection, 100 * MIB, headers().includes('Transfer-Encoding: chunked'))
      const text = await connection.until(/\}$/)
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(text.toLowerCase()).toContain('connection: close')
      expect(text).toContain(JSON.stringify({ message }))
      expect(await connection.closed()).toBeLessThan(CLOSED_WITHIN_MS)
      // 1 MiB discarded, the rest is what the two socket buffers hold
      expect(await pushed).toBeLessThan(16 * MIB)
      expect(process.memoryUsage().rss - before).toBeLessThan(48 * MIB)
    },
  )

  it('of 11 MB in chunks, with a right token (bad-inputs.md#input-11)', async () => {
    const connection = await openConnection(
      port,
      head([`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked']),
    )
    const pushed = push(connection, 11 * MIB, true)
    expect(await connection.until(/\}$/)).toMatch(/^HTTP\/1\.1 413 /)
    await connection.closed()
    await pushed
  })

  it.each(refusals)('%s gets no "100 Continue"', async (_what, headers, status) => {
    const connection = await openConnection(port, head([...headers(), 'Expect: 100-continue']))
    const text = await connection.until(/\}$/)
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).not.toContain('100 Continue')
    expect(await connection.closed()).toBeLessThan(CLOSED_WITHIN_MS)
  })

  it('of a client that is slow to send leaves nothing open after a second', async () => {
    const connection = await openConnection(port, head([`Content-Length: ${MIB}`]))
    const text = await connection.until(/\}$/)
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(await connection.closed()).toBeLessThan(CLOSED_WITHIN_MS)
  })

  it('that is small and already there costs no reset: the answer is read to its end', async () => {
    for (let count = 0; count < 50; count += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/api/erp/products/delete`, {
        method: 'POST',
        body: 'x'.repeat(200_000),
      })
      expect([response.status, await response.json()]).toEqual([
        401,
        { message: 'Missing or invalid Authorization header.' },
      ])
    }
  })
})

describe('an admitted body', () => {
  it('sends "100 Continue" when the client expects it', async () => {
    const body = '{"ids_erp":["a","b"]}'
    const connection = await openConnection(
      port,
      head([
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      ]),
    )
    await connection.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    connection.socket.write(body)
    expect(await connection.until(/\}$/)).toMatch(
      /HTTP\/1\.1 200 OK[^]*\{"requested":2,"deactivated":0,"not_found":\[\]\}$/,
    )
    connection.socket.destroy()
  })

  it('other expectations are ignored', async () => {
    const connection = await openConnection(port, head(['Expect: something', 'Content-Length: 0']))
    expect(await connection.until(/\}$/)).toMatch(/^HTTP\/1\.1 401 /)
    connection.socket.destroy()
  })
})
