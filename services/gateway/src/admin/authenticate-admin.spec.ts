import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { gatewayConfig } from '../config.js'
import { openStubApp } from '../testing/stub-app.js'

let stub: Awaited<ReturnType<typeof openStubApp>>
beforeAll(async () => {
  stub = await openStubApp()
})
afterAll(() => stub?.close())

const admin = { authorization: 'Bearer admin-token-of-the-specs', 'content-type': 'application/json' }
const patch = async (headers: Record<string, string>): Promise<number> =>
  (await stub.ask({ method: 'PATCH', url: '/api/admin/settings', headers: { ...admin, ...headers }, body: '{}' }))
    .statusCode

describe('a request that a browser sent (admin.md#cross-site)', () => {
  const host = 'parts.example.org'
  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['of another origin', { origin: 'https://evil.example', host }],
    ['of another port', { origin: 'http://parts.example.org:8081', host }],
    ['without an origin of its own', { origin: 'null', host }],
  ])('for a page %s returns 403', async (_page, headers) => {
    const answer = await stub.ask({
      method: 'PATCH',
      url: '/api/admin/settings',
      headers: { ...admin, ...headers },
      body: '{}',
    })
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Cross-site requests are not allowed.' }])
  })

  it.each([
    ['of the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['that the user opened', { 'sec-fetch-site': 'none' }],
    ['of the same host', { origin: `http://${host}`, host }],
    ['of the same host behind a proxy that removed TLS', { origin: `https://${host}`, host }],
    ['that is no page', {}],
  ])('for a page %s is accepted', async (_page, headers) => {
    expect(await patch(headers)).toBe(200)
  })

  it('may read from another site, which cannot see the response', async () => {
    const headers = { ...admin, 'sec-fetch-site': 'cross-site' }
    expect((await stub.ask({ url: '/api/admin/settings', headers })).statusCode).toBe(200)
  })

  it('returns 401 before 403', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await stub.ask({ method: 'PATCH', url: '/api/admin/settings', headers })).statusCode).toBe(401)
  })
})

describe('wrong tokens (admin.md#wrong-tokens)', () => {
  const wrong = (from: string) =>
    stub.ask({ url: '/api/admin/settings', headers: { authorization: 'Bearer wrong' }, from })

  it('return 429 after 300 in a minute from one address, while the valid token is accepted', async () => {
    for (let count = 0; count < 300; count += 1) expect((await wrong('127.0.0.9')).statusCode).toBe(401)
    const refused = await wrong('127.0.0.9')
    expect([refused.statusCode, refused.json()]).toEqual([429, { message: 'Too many requests.' }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await wrong('127.0.0.10')).statusCode).toBe(401)
    const valid = await stub.ask({ url: '/api/admin/settings', headers: admin, from: '127.0.0.9' })
    expect(valid.statusCode).toBe(200)
  })
})

describe('ADMIN_TOKEN', () => {
  const accepts = (token: string): boolean =>
    gatewayConfig.safeParse({ MONGODB_URL: 'mongodb://x', NATS_URL: 'nats://x', ADMIN_TOKEN: token }).success

  it('has at least 24 characters', () => {
    expect([accepts('a'.repeat(23)), accepts('a'.repeat(24))]).toEqual([false, true])
  })
})
