import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError, type ErrorCode, httpStatus } from '@partsbus/contracts/app-error'
import { contractViolation } from '@partsbus/contracts/violation'
import { type AskedCall, openStubApp } from '../testing/stub-app.js'

type StubApp = Awaited<ReturnType<typeof openStubApp>>

const target = { erp_storage_id: 1, erp_pick_up_point_id: 2 }
const texts = {
  disabled: 'ERP integration is disabled.',
  header: 'Missing or invalid Authorization header.',
  token: 'Invalid ERP API token.',
  address: 'Access from this IP address is not allowed for ERP API.',
  target: 'Default storage and pick-up point for ERP stocks must be configured.',
}
const posts = [
  '/categories/batch-upsert',
  '/categories/delete',
  '/products/batch-upsert',
  '/products/delete',
  '/stocks/batch-update',
  '/prices/batch-update',
]

let stub: StubApp
let token: string
let answer: (call: AskedCall) => string | AppError | Promise<string>

beforeAll(async () => {
  stub = await openStubApp({ answer: (call) => answer(call), env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
beforeEach(async () => {
  answer = () => '{"processed":0}'
  token = (await stub.reset({ erp_enabled: true, ...target })).erp
})
afterAll(() => stub.close())

const ping = (authorization?: string, headers: Record<string, string> = {}) =>
  stub.ask({ url: '/api/erp/ping', headers: { ...(authorization !== undefined && { authorization }), ...headers } })
const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  stub.ask({
    method: 'POST',
    url: `/api/erp${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })

describe('ERP authentication (erp.md#authentication)', () => {
  it('answers ping', async () => {
    const response = await ping(`Bearer ${token}`)
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
  })

  it('disabled wins over everything else (bad-inputs.md#input-1)', async () => {
    await stub.administration.patch({ erp_enabled: false })
    for (const request of [ping(), ping('Basic x'), send('/nowhere', '{'), send('/stocks/batch-update', '[]')]) {
      const response = await request
      expect([response.statusCode, response.body]).toEqual([503, JSON.stringify({ message: texts.disabled })])
    }
  })

  it('two Authorization headers (bad-inputs.md#input-2)', async () => {
    const { statusCode, body } = await stub.ask({
      url: '/api/erp/ping',
      headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
    })
    expect([statusCode, body]).toEqual([401, JSON.stringify({ message: texts.header })])
  })

  it.each([[undefined], ['Basic x'], ['Bearer'], ['Bearer a b'], ['']])(
    'Authorization %j (bad-inputs.md#input-2)',
    async (header) => {
      const response = await ping(header)
      expect([response.statusCode, response.body]).toEqual([401, JSON.stringify({ message: texts.header })])
    },
  )

  it('the scheme is case-insensitive (bad-inputs.md#input-3)', async () => {
    expect((await ping(`bearer ${token}`)).statusCode).toBe(200)
    expect((await ping(`BEARER  ${token}`)).statusCode).toBe(200)
  })

  it('a wrong token, a part of the token, a longer one, a very long one (bad-inputs.md#input-4)', async () => {
    for (const wrong of ['x', token.slice(0, -1), `${token}x`, token.toUpperCase(), 'a'.repeat(10_000)]) {
      const response = await ping(`Bearer ${wrong}`)
      expect([response.statusCode, response.body]).toEqual([401, JSON.stringify({ message: texts.token })])
    }
  })

  it('without a configured token nothing matches (bad-inputs.md#input-5)', async () => {
    await stub.administration.revokeToken('erp')
    for (const guess of [token, 'undefined', 'null', '=']) {
      const response = await ping(`Bearer ${guess}`)
      expect([response.statusCode, response.body]).toEqual([401, JSON.stringify({ message: texts.token })])
    }
    expect((await ping('Bearer ')).statusCode).toBe(401)
  })

  it('an address that is not listed, whatever the headers say (bad-inputs.md#input-6)', async () => {
    await stub.administration.patch({ erp_allowed_ips: ['127.0.0.2', '198.51.100.0/24', '2001:db8::/64'] })
    const from = async (address: string, headers: Record<string, string> = {}) =>
      (
        await stub.ask({
          url: '/api/erp/ping',
          from: address,
          headers: { authorization: `Bearer ${token}`, ...headers },
        })
      ).statusCode
    const claims: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '198.51.100.7' },
      { 'x-real-ip': '198.51.100.7' },
      { forwarded: 'for=198.51.100.7' },
    ]
    for (const headers of claims) expect(await from('127.0.0.3', headers)).toBe(403)
    expect(await from('127.0.0.2')).toBe(200)
    const refused = await stub.ask({
      url: '/api/erp/ping',
      from: '127.0.0.3',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refused.body).toBe(JSON.stringify({ message: texts.address }))
    expect(refused.headers['x-client-address']).toBe('127.0.0.3')
    // 127.0.0.1 is the trusted proxy of this spec
    const forwarded: [string, number][] = [
      ['198.51.100.7', 200],
      ['::ffff:198.51.100.7', 200],
      ['2001:db8::17', 200],
      ['2001:db8:0:1::17', 403],
      ['1.1.1.1, 198.51.100.7', 200],
      ['198.51.100.7, 1.1.1.1', 403],
      ['<script>', 403],
      ['198.51.100.7, ', 403],
    ]
    for (const [header, status] of forwarded)
      expect([header, await from('127.0.0.1', { 'x-forwarded-for': header })]).toEqual([header, status])
  })

  it.each([
    ['/nowhere', 'POST', 404],
    ['', 'GET', 404],
    ['/', 'GET', 404],
    ['/ping/', 'GET', 404],
    ['/ping', 'POST', 405],
    ['/products/delete', 'GET', 405],
    ['/products/delete', 'TRACE', 405],
  ] as const)('the checks come before 404 and 405: %s %s', async (path, method, status) => {
    const url = `/api/erp${path}`
    expect((await stub.ask({ method, url })).statusCode).toBe(401)
    expect((await stub.ask({ method, url, headers: { authorization: 'Bearer wrong' } })).json()).toEqual({
      message: texts.token,
    })
    expect((await stub.ask({ method, url, headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(status)
  })

  it('405 names the methods the path knows', async () => {
    const response = await stub.ask({
      method: 'PUT',
      url: '/api/erp/ping?x=1',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([response.statusCode, response.headers.allow, response.json()]).toEqual([
      405,
      'GET, HEAD',
      { message: 'Method not allowed.' },
    ])
  })

  it.each([
    '//api/erp/ping',
    '/API/ERP/PING',
    '/api/erp/../erp/ping',
    '/api%2Ferp%2Fping',
    '/api/%65rp/ping',
    '/api/erp//ping',
    '/api/erp/%zz',
  ])('no spelling of a path gets around the checks: %s', async (url) => {
    expect([400, 401, 404]).toContain((await stub.ask({ url })).statusCode)
  })

  it('limits the requests of a token a minute, after authentication, unknown paths included', async () => {
    await stub.administration.patch({ erp_rate_limit: 2 })
    expect((await ping('Bearer wrong')).statusCode).toBe(401)
    expect((await send('/nowhere', '')).statusCode).toBe(404)
    expect((await ping(`Bearer ${token}`)).statusCode).toBe(200)
    const response = await send('/products/delete', '{')
    expect([response.statusCode, response.json()]).toEqual([429, { message: 'Too many requests.' }])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await ping('Bearer wrong')).statusCode).toBe(401)
  })
})

describe('stock pre-checks (erp.md#stocks-configured)', () => {
  it.each([
    [{ erp_storage_id: null }],
    [{ erp_pick_up_point_id: null }],
    [{ erp_storage_id: null, erp_pick_up_point_id: null }],
  ])('%j', async (missing) => {
    await stub.administration.patch({ ...missing, erp_rate_limit: 1 })
    for (let count = 0; count < 3; count += 1) {
      const response = await send('/stocks/batch-update', 'not JSON', { 'content-type': 'text/plain' })
      expect([response.statusCode, response.body]).toEqual([500, JSON.stringify({ message: texts.target })])
    }
    expect((await send('/products/delete', '{}')).statusCode).toBe(200)
    expect(stub.asked.map((call) => call.subject)).toEqual(['catalog.products.deactivate'])
  })
})

describe('bodies', () => {
  it.each([
    ['/categories/batch-upsert', 'catalog.categories.upsert'],
    ['/categories/delete', 'catalog.categories.deactivate'],
    ['/products/batch-upsert', 'catalog.products.upsert'],
    ['/products/delete', 'catalog.products.deactivate'],
    ['/stocks/batch-update', 'stock.supplies.update'],
    ['/prices/batch-update', 'stock.prices.update'],
  ])('%s passes its bytes to %s and the reply back', async (path, subject) => {
    const body = '{ "любое": "тело", "x": 1e400 }'
    answer = () => '{"ответ": 1}'
    const response = await send(path, body)
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{"ответ": 1}',
    ])
    expect(stub.asked).toMatchObject([
      { subject, body, settings: { ...target, erp_error_policy: 'reject_batch', media_wait_ms: 5_000 } },
    ])
  })

  it.each(posts)('%s returns 415 for other media types without a call (bad-inputs.md#input-7)', async (path) => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/jsonp',
      'application/json, text/plain',
      'multipart/form-data; boundary=x',
      ';',
      '',
    ]) {
      expect((await send(path, '[]', { 'content-type': type })).statusCode).toBe(415)
    }
    const without = await stub.ask({
      method: 'POST',
      url: `/api/erp${path}`,
      headers: { authorization: `Bearer ${token}` },
      body: '[]',
    })
    expect([without.statusCode, without.json()]).toEqual([
      415,
      { message: 'The media type must be application/json. Send it in the header Content-Type.' },
    ])
    expect(stub.asked).toEqual([])
  })

  it.each([
    'application/json\t; x',
    'application/json;',
    'Application/JSON; charset=utf-8',
    'application/json;charset="utf-8"',
  ])('%j is JSON (bad-inputs.md#input-8)', async (type) => {
    expect((await send('/products/batch-upsert', '[]', { 'content-type': type })).statusCode).toBe(200)
    expect(stub.asked).toHaveLength(1)
  })

  it.each([
    ['gzip', 415],
    ['br', 415],
    ['identity', 200],
    ['Identity', 200],
    ['', 415],
  ])('Content-Encoding %j → %j (bad-inputs.md#input-9)', async (encoding, status) => {
    expect((await send('/products/batch-upsert', '[]', { 'content-encoding': encoding })).statusCode).toBe(status)
  })

  it('an empty body is 400 (bad-inputs.md#input-10)', async () => {
    const response = await send('/products/delete', '')
    expect([response.statusCode, response.json()]).toEqual([400, { message: 'The request body is not valid JSON.' }])
  })

  it('a body that is no JSON is explained on request alone (rules.md#body-error)', async () => {
    const message = 'The request body is not valid JSON.'
    const body_error = { code: 'not_json', byte: 1, message: 'Byte 1 ("x") is not valid JSON at this position.' }
    answer = () => new AppError('MALFORMED', message, { details: { body_error } })
    const bodies = []
    for (const headers of [{}, { 'x-result-details': '0' }, { 'x-result-details': '1' }] as Record<string, string>[])
      bodies.push((await send('/products/batch-upsert', '[x', headers)).json())
    expect(bodies).toEqual([{ message }, { message }, { message, body_error }])
    expect((await send('/products/delete', '', { 'x-result-details': '1' })).json()).toEqual({
      message,
      body_error: { code: 'not_json', byte: 0, message: 'The body is empty.' },
    })
  })

  it('ping ignores body and media type (rules.md#empty-bodies)', async () => {
    const response = await stub.ask({
      method: 'GET',
      url: '/api/erp/ping',
      headers: { authorization: `Bearer ${token}`, 'content-type': ';;', 'content-encoding': 'gzip' },
      body: '{',
    })
    expect(response.statusCode).toBe(200)
  })

  it('the header applies to the error policy of its own request only', async () => {
    await send('/products/batch-upsert', '[]', { 'x-error-policy': 'reject-failed-rows' })
    await send('/products/batch-upsert', '[]')
    expect(stub.asked.map((call) => call.settings?.erp_error_policy)).toEqual(['reject_failed_rows', 'reject_batch'])
    const response = await send('/products/batch-upsert', '[]', { 'x-error-policy': 'reject-all' })
    expect([response.statusCode, response.json()]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: {
          'x-error-policy': ['The selected x-error-policy is invalid. It must be reject-batch or reject-failed-rows.'],
        },
      },
    ])
  })

  it('a service has as long as it may wait for images, and more', async () => {
    await stub.administration.patch({ media_wait_ms: 30_000 })
    await send('/products/batch-upsert', '[]')
    expect(stub.asked[0]?.timeoutMs).toBe(60_000)
  })
})

describe('errors of services (rules.md#error-bodies)', () => {
  it.each(Object.keys(httpStatus) as ErrorCode[])('%s', async (code) => {
    answer = () => new AppError(code, 'words of the service')
    const response = await send('/products/batch-upsert', '[]')
    const fixed: Partial<Record<ErrorCode, string>> = {
      INTERNAL: 'Internal server error.',
      UNAVAILABLE: 'Service temporarily unavailable.',
      OVERLOADED: 'Service temporarily unavailable.',
      TIMEOUT: 'The service did not answer in time.',
    }
    expect([response.statusCode, response.json()]).toEqual([
      httpStatus[code],
      { message: fixed[code] ?? 'words of the service' },
    ])
    expect(response.headers['retry-after']).toBe(code === 'OVERLOADED' ? '1' : code === 'UNAVAILABLE' ? '5' : undefined)
    expect(response.headers['x-request-id']).toBeTruthy()
  })

  it('422 lists the violations', async () => {
    answer = () => contractViolation({ 'products.3.name': ['The name field is required.'] })
    expect((await send('/products/batch-upsert', '[]')).json()).toEqual({
      message: 'The given data was invalid.',
      errors: { 'products.3.name': ['The name field is required.'] },
    })
  })

  it('an unexpected error reveals no internals', async () => {
    answer = () => {
      throw new TypeError('secret inner words')
    }
    const response = await send('/products/batch-upsert', '[]')
    expect([response.statusCode, response.body]).toEqual([500, '{"message":"Internal server error."}'])
  })

  it('requests beyond the limit get 503 with Retry-After: 1 on a connection that stays open', async () => {
    let release: () => void = () => undefined
    const released = new Promise<string>((done) => {
      release = () => done('{}')
    })
    answer = () => released
    const refused: unknown[] = []
    const all = Array.from({ length: 10 }, () =>
      send('/products/batch-upsert', '[]').then(({ statusCode, headers }) => {
        if (statusCode === 503) refused.push([headers['retry-after'], headers.connection])
        // the stubbed gateway takes four at once: when the others have their answer, the four may end
        if (refused.length === 6) release()
        return statusCode
      }),
    )
    expect((await Promise.all(all)).filter((status) => status === 200)).toHaveLength(4)
    expect(refused).toEqual(Array(6).fill(['1', 'keep-alive']))
    expect((await send('/products/batch-upsert', '[]')).statusCode).toBe(200)
  })
})
