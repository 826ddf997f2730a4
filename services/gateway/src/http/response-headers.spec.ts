import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'

type StubApp = Awaited<ReturnType<typeof openStubApp>>

let stub: StubApp
let token: string
let scopes: unknown[]
let draining: boolean

beforeAll(async () => {
  stub = await openStubApp({
    isDraining: () => draining,
    answer: ({ scope }) => {
      scopes.push(scope)
      return '{}'
    },
  })
})
beforeEach(async () => {
  scopes = []
  draining = false
  token = (await stub.reset({ erp_enabled: true })).erp
})
afterAll(() => stub.close())

const places = [
  '/nowhere',
  '/api/erp/ping',
  '/api/b2b/x',
  '/api/admin/settings',
  '/media/1/x.jpg',
  '/api/erp/%zz',
  '/media/%zz/x',
]

describe('every answer', () => {
  it.each(places)('%s carries the request id of the caller and the security headers', async (url) => {
    const { headers } = await stub.ask({ url, headers: { 'x-request-id': 'Erp-1.2_3' } })
    expect(headers).toMatchObject({
      'x-request-id': 'Erp-1.2_3',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
    })
    expect(headers.server ?? headers['x-powered-by'] ?? headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['a b', 'a'.repeat(129), 'x\ty', 'é', '{"a":1}', ''])('a request id like %j is replaced', async (sent) => {
    const { headers } = await stub.ask({ url: '/', headers: { 'x-request-id': sent } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('says "connection: close" while the gateway drains', async () => {
    expect((await stub.ask({ url: '/' })).headers.connection).not.toBe('close')
    draining = true
    for (const url of places.slice(0, 5)) expect((await stub.ask({ url })).headers.connection).toBe('close')
  })

  it('is counted by the template of its route', async () => {
    const authorization = `Bearer ${token}`
    await stub.ask({ url: '/api/erp/ping?token=secret', headers: { authorization } })
    await stub.ask({ url: '/api/erp/secret-path', headers: { authorization } })
    await stub.ask({ url: '/media/7/secret-name.jpg' })
    const text = await stub.metrics.registry.metrics()
    const labels = 'http_route="/api/erp/ping",http_request_method="GET",http_response_status_code="200"'
    expect(text).toMatch(new RegExp(`^http_server_request_duration_seconds_count\\{.*${labels}.*\\} 1$`, 'm'))
    expect(text).toContain('http_route="/media/:id/:file_name"')
    expect(text).toMatch(/http_response_status_code="404",error_type="NOT_FOUND"/)
    expect(text).not.toContain('secret')
  })
})

describe('the scope of a call', () => {
  it('carries the id, the API and the trace of the request to the services', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const send = (sent: string) =>
      stub.ask({
        method: 'POST',
        url: '/api/erp/products/delete',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-request-id': 'abc',
          traceparent: sent,
        },
        body: '{}',
      })
    await send(traceparent)
    await send('junk')
    expect(scopes).toEqual([
      { requestId: 'abc', api: 'erp', traceparent },
      { requestId: 'abc', api: 'erp' },
    ])
  })
})
