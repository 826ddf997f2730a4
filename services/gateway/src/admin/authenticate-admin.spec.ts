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

describe('a bearer token (admin.md#auth)', () => {
  it('is accepted from every site: a browser never adds one', async () => {
    expect(await patch({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toBe(200)
  })

  it('alone counts when it was sent, whatever the cookie is', async () => {
    const headers = { authorization: 'Bearer wrong', cookie: `partsbus=${'A'.repeat(43)}` }
    const response = await stub.ask({ url: '/api/admin/settings', headers, from: '127.0.0.8' })
    expect([response.statusCode, response.json()]).toEqual([401, { message: 'Unauthenticated.' }])
  })
})

describe('wrong tokens (admin.md#throttling)', () => {
  const wrong = (from: string, authorization = 'Bearer wrong') =>
    stub.ask({ url: '/api/admin/settings', headers: { authorization }, from })

  it('return 429 after 10 in a minute from one address, while the valid token is accepted', async () => {
    for (let count = 0; count < 10; count += 1) expect((await wrong('127.0.0.9')).statusCode).toBe(401)
    const refused = await wrong('127.0.0.9')
    expect([refused.statusCode, refused.json()]).toEqual([429, { message: 'Too many requests.' }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await wrong('127.0.0.10')).statusCode).toBe(401)
    const valid = await stub.ask({ url: '/api/admin/settings', headers: admin, from: '127.0.0.9' })
    expect(valid.statusCode).toBe(200)
  })

  it('do not include requests without a token', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { statusCode } = await stub.ask({ url: '/api/admin/settings', from: '127.0.0.11' })
      expect([statusCode, (await wrong('127.0.0.11', 'Basic YTpi')).statusCode]).toEqual([401, 401])
    }
  })
})

describe('GET /sign-in (admin.md#cross-site)', () => {
  const host = 'parts.example.org'
  const lookFrom = async (headers: Record<string, string>): Promise<number> =>
    (await stub.ask({ url: '/api/admin/sign-in', headers: { host, ...headers } })).statusCode

  it.each<[string, Record<string, string>]>([
    ['with neither header, as over plain HTTP', {}],
    ['of the origin of the gateway', { origin: `http://${host}` }],
    ['of a page of the gateway', { 'sec-fetch-site': 'same-origin' }],
  ])('%s is answered', async (_what, headers) => {
    expect(await lookFrom(headers)).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another site, whatever the origin is', { 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['with the origin null', { origin: 'null' }],
  ])('%s is refused', async (_what, headers) => {
    expect(await lookFrom(headers)).toBe(403)
  })
})

describe('ADMIN_TOKEN', () => {
  const accepts = (token: string): boolean =>
    gatewayConfig.safeParse({ MONGODB_URL: 'mongodb://x', NATS_URL: 'nats://x', ADMIN_TOKEN: token }).success

  it('has at least 24 characters', () => {
    expect([accepts('a'.repeat(23)), accepts('a'.repeat(24))]).toEqual([false, true])
  })
})
