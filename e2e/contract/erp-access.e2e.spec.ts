import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const DISABLED = { message: 'ERP integration is disabled.' }
const MISSING = { message: 'Missing or invalid Authorization header.' }
const WRONG = { message: 'Invalid ERP API token.' }
const FORBIDDEN = { message: 'Access from this IP address is not allowed for ERP API.' }
const UNCONFIGURED = { message: 'Default storage and pick-up point for ERP stocks must be configured.' }

const paths = [
  '/ping',
  '/categories/batch-upsert',
  '/categories/delete',
  '/products/batch-upsert',
  '/products/delete',
  '/stocks/batch-update',
  '/prices/batch-update',
  '/no/such/path',
]
const verb = (path: string) => (path === '/ping' ? 'GET' : 'POST')

const open = useShop()

describe('authentication', () => {
  const stranger = () => open().erp.as({})

  it('answers a ping with status ok, whatever its media type (GET /ping) (erp.md#ping)', async () => {
    const answer = await open().erp.get('/ping')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
    expect((await open().erp.get('/ping', { body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(200)
  })

  describe('check 1: switched off (erp.md#auth-1)', () => {
    beforeAll(() => open().set({ erp_enabled: false }))
    afterAll(() => open().set({ erp_enabled: true }))
    it.each(paths)('answers 503 on %s before checking the header', async (path) => {
      const answer = await stranger().send(verb(path), path)
      expect([answer.status, answer.body]).toEqual([503, DISABLED])
    })
  })

  // rules.md#order-of-work
  describe('check 2a: the header (erp.md#auth-2)', () => {
    it.each(paths)('answers 401 on %s without a header, before 404, 405 and the body', async (path) => {
      for (const method of ['GET', 'POST', 'PUT'] as const) {
        const answer = await stranger().send(method, path, method === 'GET' ? {} : { body: '{not json' })
        expect([answer.status, answer.body]).toEqual([401, MISSING])
      }
    })
    it.each(['Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer "quoted"', 'Token abc', 'abc', 'Bearer a,b'])(
      'rejects %j as malformed',
      async (authorization) => {
        const answer = await open().erp.get('/ping', { headers: { authorization } })
        expect([answer.status, answer.body]).toEqual([401, MISSING])
      },
    )
    it('rejects two headers as malformed, even two valid ones', async () => {
      const right = `Bearer ${open().erpToken}`
      const answer = await stranger().get('/ping', {
        headers: [
          ['authorization', right],
          ['authorization', right],
        ],
      })
      expect([answer.status, answer.body]).toEqual([401, MISSING])
    })
    it('accepts the scheme in any case', async () => {
      for (const scheme of ['bearer', 'BEARER']) {
        expect(
          (await open().erp.get('/ping', { headers: { authorization: `${scheme} ${open().erpToken}` } })).status,
        ).toBe(200)
      }
    })
  })

  describe('check 2b: the token (erp.md#auth-3)', () => {
    it.each([
      ['another', () => 'x'.repeat(43)],
      ['a prefix of the right one', () => open().erpToken.slice(0, -1)],
      ['one character more', () => `${open().erpToken}a`],
      ['10,000 characters', () => 'a'.repeat(10_000)],
      ["the administrator's", () => open().product.adminToken],
      ['undefined', () => 'undefined'],
    ])('refuses %s', async (_what, token) => {
      const answer = await open().erp.get('/ping', { headers: { authorization: `Bearer ${token()}` } })
      expect([answer.status, answer.body]).toEqual([401, WRONG])
    })
    // admin.md#tokens-issue, admin.md#tokens-revoke
    it('re-issuing invalidates the old token; after revoking, no token is valid', async () => {
      const { admin } = open()
      const ping = async (token: string) =>
        (await open().erp.get('/ping', { headers: { authorization: `Bearer ${token}` } })).status
      const second = expectStatus(
        await admin.post<{ token: string; last4: string; issued_at: string }>('/settings/erp-token'),
        200,
      ).body
      expect(second.last4).toBe(second.token.slice(-4))
      expect(Date.parse(second.issued_at)).toBeGreaterThan(Date.now() - 60_000)
      expect(second.token.length).toBeGreaterThanOrEqual(43)
      expect([await ping(open().erpToken), await ping(second.token)]).toEqual([401, 200])
      expect((await admin.delete('/settings/erp-token')).status).toBe(204)
      for (const token of [second.token, 'null', 'undefined']) {
        const answer = await open().erp.get('/ping', { headers: { authorization: `Bearer ${token}` } })
        expect([answer.status, answer.body]).toEqual([401, WRONG])
      }
      const shop = open()
      const third = expectStatus(await admin.post<{ token: string }>('/settings/erp-token'), 200).body
      shop.erpToken = third.token
      shop.erp = shop.erp.as({ authorization: `Bearer ${third.token}` })
      expect((await shop.erp.get('/ping')).status).toBe(200)
    })
  })

  describe('check 3: the address (erp.md#auth-4)', () => {
    afterAll(() => open().set({ erp_allowed_ips: [] }))
    it('refuses an address that is not listed, spoofed headers or not, after the token', async () => {
      await open().set({ erp_allowed_ips: ['10.1.2.3', '2001:db8::/32'] })
      const spoofed: Record<string, string>[] = [
        {},
        { 'x-forwarded-for': '10.1.2.3' },
        { 'x-real-ip': '10.1.2.3' },
        { forwarded: 'for=10.1.2.3' },
      ]
      for (const headers of spoofed) {
        const answer = await open().erp.get('/ping', { headers })
        expect([answer.status, answer.body]).toEqual([403, FORBIDDEN])
      }
      const answer = await open().erp.get('/ping', { headers: { authorization: 'Bearer wrong' } })
      expect([answer.status, answer.body]).toEqual([401, WRONG])
    })
    it.each([
      ['an address', ['10.1.2.3', '127.0.0.1']],
      ['a CIDR', ['127.0.0.0/8']],
      ['an empty list', []],
    ])('accepts %s', async (_what, list) => {
      await open().set({ erp_allowed_ips: list })
      expect((await open().erp.get('/ping')).status).toBe(200)
    })
  })

  // rules.md#order-of-work
  describe('pre-checks of stocks', () => {
    afterAll(() => open().set({ erp_storage_id: open().storageId, erp_pick_up_point_id: open().pointId }))
    it.each([{ erp_storage_id: null }, { erp_pick_up_point_id: null }])(
      'answers 500 with %j, after authentication and before the body',
      async (missing) => {
        await open().set({ erp_storage_id: open().storageId, erp_pick_up_point_id: open().pointId, ...missing })
        for (const body of ['{not json', '[]']) {
          const answer = await open().erp.send('POST', '/stocks/batch-update', {
            body,
            headers: { 'content-type': 'application/json' },
          })
          expect([answer.status, answer.body]).toEqual([500, UNCONFIGURED])
        }
        expect((await stranger().post('/stocks/batch-update', [])).status).toBe(401)
        expect((await open().erp.post('/products/batch-upsert', [])).status).toBe(200)
      },
    )
  })

  describe('rate limit', () => {
    afterAll(() => open().set({ erp_rate_limit: null }))
    it('answers 429 with Retry-After with a valid token, and 401 without one', async () => {
      await open().set({ erp_rate_limit: 3 })
      const answers = []
      for (let count = 0; count < 6; count++) answers.push(await open().erp.get<{ message: string }>('/ping'))
      expect(answers.map((answer) => answer.status)).toContain(429)
      const refused = answers.find((answer) => answer.status === 429)
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
      expect(Object.keys(refused?.body ?? {})).toEqual(['message'])
      expect((await stranger().get('/ping')).status).toBe(401)
    })
  })

  // rules.md#request-id
  it('sends x-request-id with every response: the one received if valid, else a new one', async () => {
    const sent = await open().erp.get('/ping', { headers: { 'x-request-id': 'order-77_a.b' } })
    expect(sent.headers['x-request-id']).toBe('order-77_a.b')
    for (const insane of ['a b"<script>', 'x'.repeat(500)]) {
      const answer = await stranger().get('/nowhere', { headers: { 'x-request-id': insane } })
      expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,100}$/)
      expect(answer.headers['x-request-id']).not.toBe(insane)
    }
  })
})
