import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'

const admin = { authorization: 'Bearer admin-token-of-the-specs' }
let stub: Awaited<ReturnType<typeof openStubApp>>
beforeAll(async () => {
  stub = await openStubApp({
    env: { ADMIN_ALLOWED_IPS: '10.8.0.0/16, 2001:db8::/32', TRUSTED_PROXIES: '127.0.0.1' },
    answer: () => JSON.stringify({ data: [], total: 0, page: 1, per_page: 50 }),
  })
})
afterAll(() => stub.close())

const ask = (method: string, url: string, from: string, headers = {}) =>
  stub.ask({ method, url, headers: { 'x-forwarded-for': from, ...headers } })

// admin.md#allowed-addresses
it.each([
  ['GET', '/api/admin/brand-synonyms', admin],
  ['GET', '/api/admin/nowhere', {}],
  ['POST', '/api/admin/session', { 'content-type': 'application/json' }],
  ['GET', '/admin', {}],
  ['GET', '/admin/settings', {}],
])('%s %s is refused to other addresses, whatever the credential', async (method, url, headers) => {
  for (const from of ['10.9.0.1', '203.0.113.7', '2001:db9::1']) {
    const { statusCode, body } = await ask(method, url, from, headers)
    expect([statusCode, body]).toEqual([403, expect.stringContaining('Access from this IP address is not allowed')])
  }
})

// admin.md#allowed-addresses
it.each(['10.8.3.4', '::ffff:10.8.3.4', '2001:db8::7'])('the API answers %s as without a list', async (from) => {
  const url = '/api/admin/brand-synonyms'
  expect((await ask('GET', url, from, admin)).statusCode).toBe(200)
  expect((await ask('GET', url, from)).statusCode).toBe(401)
})

it('the other APIs, images and the description answer everybody', async () => {
  for (const url of ['/api/erp/ping', '/api/b2b/ping', '/docs/json'])
    expect((await ask('GET', url, '203.0.113.7')).body).not.toContain('for administrators')
})
