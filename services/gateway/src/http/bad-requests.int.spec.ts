import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { upsertProducts } from '@partsbus/contracts/catalog/commands'
import { cpuMs } from '@partsbus/test-kit/durations'
import { ask } from '../testing/send-request.js'
import { openConnection } from '../testing/raw-connection.js'
import { administer, answerCommand, openRealStage } from '../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let token: string

beforeAll(async () => {
  stage = await openRealStage('bad_requests')
  port = (await stage.startGateway()).port
  await administer(port, 'PATCH', '/settings', { erp_enabled: true })
  token = (await administer(port, 'POST', '/settings/erp-token')).body.token as string
  answerCommand(stage.nc, upsertProducts, ({ body }) => ({
    processed: body.processed,
    created: body.items.length,
    updated: 0,
    errors: [],
  }))
  await stage.nc.flush()
})
afterAll(() => stage?.close())

const upsert = (body: string | Buffer, headers: Record<string, string> = {}) =>
  ask(port, {
    method: 'POST',
    url: '/api/erp/products/batch-upsert',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })

/** Writes bytes as they are and reads until the other side closes. */
async function raw(bytes: string | Buffer): Promise<string> {
  const connection = await openConnection(port)
  connection.socket.write(bytes)
  await connection.closed()
  return connection.text()
}
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])

describe('malformed bodies', () => {
  it.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['cut off', '{a'],
    ['NaN', 'NaN'],
    ['a comment', '[] // x'],
    ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])],
    ['UTF-16', Buffer.from('[]', 'utf16le')],
  ])('%s → 400 (bad-inputs.md#input-10)', async (_what, body) => {
    const { statusCode, json } = await upsert(body)
    expect([statusCode, json()]).toEqual([400, { message: 'The request body is not valid JSON.' }])
  })

  it.each([
    ['500,000 nested [', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['300,000 nested {"a":', '{"a":'.repeat(300_000) + '1' + '}'.repeat(300_000)],
  ])('%s → 422 (bad-inputs.md#input-12)', async (_what, body) => {
    let status = 0
    const spent = await cpuMs(async () => {
      status = (await upsert(body)).statusCode
    })
    expect(status).toBe(422)
    expect(spent).toBeLessThan(3_000)
  })

  it.each(['application/json\t; x', 'application/json;'])(
    '%j is parsed and validated (bad-inputs.md#input-8)',
    async (type) => {
      expect((await upsert('[]', { 'content-type': type })).statusCode).toBe(200)
      const { statusCode, json } = await upsert('[{"id_erp":5}]', { 'content-type': type })
      expect([statusCode, json()]).toEqual([
        422,
        {
          message: 'The given data was invalid.',
          errors: { '0.id_erp': ['The id_erp must be a string.'], '0.name': ['The name field is required.'] },
        },
      ])
    },
  )

  it('a body of 8 MiB passes', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, ' ')
    body.write('[]')
    const { statusCode, json } = await upsert(body)
    expect([statusCode, json()]).toEqual([200, { processed: 0, created: 0, updated: 0, errors: [] }])
  })
})

describe('tokens no client library would send (bad-inputs.md#input-4)', () => {
  it.each([
    ['NUL', 400, `Bearer a\u0000b`],
    ['a control character', 400, 'Bearer a\u0001b'],
    ['bytes above ASCII', 401, 'Bearer \u00e9\u00e9'],
  ])('%s: %i', async (_what, status, value) => {
    const answer = await raw(
      Buffer.from(
        `GET /api/erp/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${value}\r\n\r\n`,
        'latin1',
      ),
    )
    expect(statusOf(answer)).toBe(status)
  })

  it('ignores a space after the token', async () => {
    expect(
      statusOf(
        await raw(
          `GET /api/erp/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token} \r\n\r\n`,
        ),
      ),
    ).toBe(200)
  })
})

describe('odd HTTP is never answered 5xx (bad-inputs.md#input-63)', () => {
  const erp = (): string => `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n`
  const oddities: Array<[what: string, bytes: () => string, status: number]> = [
    ['HEAD ping', () => `HEAD /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 200],
    ['PUT ping', () => `PUT /api/erp/ping HTTP/1.1\r\n${erp()}Content-Length: 1\r\n\r\nx`, 405],
    ['TRACE ping', () => `TRACE /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 405],
    ['OPTIONS ping', () => `OPTIONS /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 405],
    ['PROPFIND ping', () => `PROPFIND /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 405],
    ['QUERY ping', () => `QUERY /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 405],
    ['HEAD of a POST path', () => `HEAD /api/erp/products/delete HTTP/1.1\r\n${erp()}\r\n`, 405],
    ['TRACE elsewhere', () => 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an unknown method', () => `FROB /api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 400],
    ['100 KB of header', () => `GET /api/erp/ping HTTP/1.1\r\n${erp()}X: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    [
      '2,000 query parameters',
      () =>
        `GET /api/erp/ping?${Array.from({ length: 2_000 }, (_, at) => `a${at}=1`).join('&')} HTTP/1.1\r\n${erp()}\r\n`,
      200,
    ],
    ['HTTP/1.0', () => `GET /api/erp/ping HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`, 200],
    [
      'HTTP/1.1 without Host',
      () => `GET /api/erp/ping HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      400,
    ],
    ['two Host headers', () => `GET /api/erp/ping HTTP/1.1\r\n${erp()}host: y\r\n\r\n`, 400],
    [
      'two Content-Length',
      () => `POST /api/erp/products/delete HTTP/1.1\r\n${erp()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
      400,
    ],
    [
      'Content-Length and chunks',
      () =>
        `POST /api/erp/products/delete HTTP/1.1\r\n${erp()}` +
        'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['an absolute URL', () => `GET http://x/api/erp/ping HTTP/1.1\r\n${erp()}\r\n`, 200],
    ['a bad escape', () => `GET /api/erp/%zz HTTP/1.1\r\n${erp()}\r\n`, 404],
    [
      'a bad escape of a stranger',
      () => 'GET /api/erp/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer wrong\r\n\r\n',
      401,
    ],
    [
      'two Authorization headers',
      () => `GET /api/erp/ping HTTP/1.1\r\n${erp()}Authorization: Bearer ${token}\r\n\r\n`,
      401,
    ],
    ['no HTTP at all', () => 'Hello?\r\n\r\n', 400],
  ]
  it.each(oddities)('%s → its status, with a request id', async (_what, bytes, status) => {
    const answer = await raw(bytes())
    expect([statusOf(answer), /\r\nx-request-id: \S+\r\n/i.test(answer)]).toEqual([status, true])
  })
})

it('a partner whose body breaks off is answered in the form of the partner API', async () => {
  const partner = (await administer(port, 'PATCH', '/settings', { b2b_enabled: true })).body.b2b_token as {
    token: string
  }
  const connection = await openConnection(port)
  connection.socket.end(
    `POST /api/b2b/get-brands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${partner.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"article"',
  )
  await connection.closed()
  expect([statusOf(connection.text()), JSON.parse(connection.text().split('\r\n\r\n')[1] ?? '')]).toEqual([
    400,
    { result: false, message: expect.any(String) },
  ])
})

describe('idle connections (bad-inputs.md#input-64)', () => {
  it('200 sockets that send a byte a second are closed within 10 s, and others are served meanwhile', async () => {
    const bytes = `GET /api/erp/ping HTTP/1.1\r\nHost: x\r\nX-Slow: ${'x'.repeat(100)}`
    const slow = await Promise.all(Array.from({ length: 200 }, () => openConnection(port)))
    let at = 0
    const drip = setInterval(() => {
      for (const { socket } of slow) if (!socket.destroyed) socket.write(bytes[at] ?? 'x')
      at += 1
    }, 1_000)
    const closed = Promise.all(slow.map((connection) => connection.closed(40_000)))
    const served: number[] = []
    while (slow.some(({ socket }) => !socket.destroyed)) {
      const startedAt = performance.now()
      const { statusCode } = await ask(port, { url: '/api/erp/ping', headers: { authorization: `Bearer ${token}` } })
      expect(statusCode).toBe(200)
      served.push(performance.now() - startedAt)
    }
    clearInterval(drip)
    // 10 s, and the delay of a loaded machine, which the other requests show in part
    expect(Math.max(...(await closed))).toBeLessThan(15_000 + Math.max(...served))
    expect(served.sort((one, other) => one - other)[Math.floor(served.length / 2)]).toBeLessThan(500)
  })
})

it('a body whose chunks are malformed is answered under the id of its request', async () => {
  const answer = await raw(
    [
      'POST /api/erp/products/batch-upsert HTTP/1.1',
      'Host: gateway',
      'X-Request-Id: batch-7',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      'not a length',
      '',
    ].join('\r\n'),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('x-request-id: batch-7\r\n')
})
