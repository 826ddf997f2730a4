import { describe, expect, it } from '@jest/globals'
import { createAdminClient } from './admin-client.js'
import { failure, task, useGateway } from './testing/recording-gateway.js'

const gateway = useGateway()

describe('a call of the admin API', () => {
  it('fills the path and the query, and sends the token', async () => {
    const admin = createAdminClient({ baseUrl: `${gateway.baseUrl}/`, token: 'secret' })
    await admin('GET /products', { query: { q: 'OC 90', trashed: true, category_id: undefined } })
    await admin('POST /price-lists/:id/sources/:source_id/run', { params: { id: 7, source_id: 2 } })
    await admin('GET /products/by-erp-id/*', { params: { erp_id: 'P/1 %' } })
    expect(gateway.received.map(({ line }) => line)).toEqual([
      'GET /api/admin/products?q=OC+90&trashed=true',
      'POST /api/admin/price-lists/7/sources/2/run',
      'GET /api/admin/products/by-erp-id/P%2F1%20%25',
    ])
    expect(gateway.received[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
  })

  it('sends a body as JSON and the revision as If-Match, and answers the new revision', async () => {
    gateway.answer({ id: 2, name: 'North' }, 200, { etag: '"8"', 'x-request-id': 'r-1' })
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    const call = admin.exchange('PATCH /storages/:id', { params: { id: 2 }, body: { name: 'North' }, ifMatch: '"7"' })
    expect(await call).toEqual({ answer: { id: 2, name: 'North' }, etag: '"8"', requestId: 'r-1' })
    expect(gateway.received[0]).toMatchObject({
      line: 'PATCH /api/admin/storages/2',
      body: '{"name":"North"}',
      headers: { 'content-type': 'application/json', 'if-match': '"7"' },
    })
    expect(gateway.received[0]?.headers.authorization).toBeUndefined()
  })

  it('answers undefined to 204, and the response itself where it is no JSON', async () => {
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    gateway.respond = (response) => response.writeHead(204).end()
    expect(await admin('DELETE /storages/:id', { params: { id: 2 } })).toBeUndefined()
    gateway.respond = (response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('a;b')
    const csv = await admin('GET /import-tasks/:id/skipped.csv', { params: { id: 41 } })
    expect(await csv.text()).toBe('a;b')
  })

  it('ends when its signal is aborted', async () => {
    const aborted = new AbortController()
    gateway.respond = () => aborted.abort()
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    await expect(admin('GET /settings', { signal: aborted.signal })).rejects.toThrow('aborted')
  })

  it('sends a form with its fields before the file', async () => {
    gateway.answer({ result: true, message: 'OK', task_id: 41 })
    const admin = createAdminClient({ baseUrl: gateway.baseUrl, token: 'secret' })
    const file = new Blob(['a;b'])
    const sent = { params: { id: 7 }, file, fileName: 'price.csv', fields: { mode: 'merge' } }
    expect(await admin.upload('POST /price-lists/:id/upload', sent)).toMatchObject({ task_id: 41 })
    expect(gateway.received[0]).toMatchObject({ line: 'POST /api/admin/price-lists/7/upload' })
    expect(gateway.received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(gateway.received[0]?.body).toMatch(/name="mode"[^]*merge[^]*name="document"; filename="price.csv"[^]*a;b/)
  })
})

describe('an error', () => {
  it('has the status, the texts, the codes and the headers', async () => {
    const errors = { name: ['The name field is required.'] }
    const violations = [{ path: 'name', rule: 'required' }]
    gateway.answer({ message: 'The given data was invalid.', errors, violations }, 422, { 'x-request-id': 'r-2' })
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    const error = await failure(() => admin('POST /storages', { body: { name: '' } }))
    expect(error).toMatchObject({
      status: 422,
      message: 'The given data was invalid.',
      errors,
      violations,
      by: [],
      requestId: 'r-2',
      retryAfter: null,
    })
  })

  it('has the resource of a 412 and the referrers of a 409', async () => {
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    gateway.answer({ message: 'It was changed meanwhile.', current: { id: 2, name: 'South' } }, 412)
    expect(await failure(() => admin('GET /settings'))).toMatchObject({ current: { id: 2, name: 'South' } })
    gateway.answer({ message: 'used', by: [{ kind: 'price-list', id: 7, name: 'L' }] }, 409)
    expect(await failure(() => admin('GET /settings'))).toMatchObject({
      by: [{ kind: 'price-list', id: 7, name: 'L' }],
    })
  })

  it('that no gateway sent has its status', async () => {
    gateway.respond = (response) => response.writeHead(502, { 'retry-after': '3' }).end('<h1>Bad gateway</h1>')
    const admin = createAdminClient({ baseUrl: gateway.baseUrl, retry: false })
    expect(await failure(() => admin('GET /settings'))).toMatchObject({
      status: 502,
      message: 'HTTP 502',
      retryAfter: 3,
    })
  })
})

describe('following an import without server-sent events', () => {
  it('reports each change once, up to the final state', async () => {
    gateway.respond = (response, count) => {
      const status = count < 3 ? 'processing' : 'completed'
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...task, status }))
    }
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    const seen: string[] = []
    await new Promise<void>((resolve) => {
      admin.follow(41, ({ status }) => {
        seen.push(status)
        if (status === 'completed') resolve()
      })
    })
    expect(seen).toEqual(['processing', 'completed'])
    expect(gateway.received.every(({ line }) => line === 'GET /api/admin/import-tasks/41')).toBe(true)
  })

  it('ends with the error when there is no such import', async () => {
    gateway.answer({ message: 'Not found.' }, 404)
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    const error = await new Promise<unknown>((resolve) => {
      admin.follow(41, () => undefined, { onError: resolve })
    })
    expect(error).toMatchObject({ status: 404 })
    expect(gateway.received).toHaveLength(1)
    await expect(admin.wait(41)).rejects.toMatchObject({ status: 404 })
  })

  it('waits for its end, and says what happens until then', async () => {
    gateway.respond = (response, count) => {
      const status = count < 3 ? 'processing' : 'failed'
      const body = gateway.received[0]?.line.startsWith('POST') && count === 1 ? { task_id: 41 } : { ...task, status }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const admin = createAdminClient({ baseUrl: gateway.baseUrl, token: 'secret' })
    const seen: string[] = []
    const ended = await admin.uploadAndWait('POST /price-lists/:id/upload', {
      params: { id: 7 },
      file: new File(['a;b'], 'price.csv'),
      onTask: ({ status }) => seen.push(status),
    })
    expect(ended.status).toBe('failed')
    expect(seen).toEqual(['processing', 'failed'])
  })

  it('stops waiting when its signal is aborted', async () => {
    gateway.answer(task)
    const aborted = new AbortController()
    const admin = createAdminClient({ baseUrl: gateway.baseUrl })
    const waiting = admin.wait(41, { signal: aborted.signal, onTask: () => aborted.abort(new Error('enough')) })
    await expect(waiting).rejects.toThrow('enough')
    const { signal } = aborted
    await expect(admin.wait(41, { signal })).rejects.toThrow('enough')
  })
})

describe('validation of answers', () => {
  it('accepts an answer as the contract has it', async () => {
    gateway.answer(task)
    const admin = createAdminClient({ baseUrl: gateway.baseUrl, validate: true })
    expect(await admin('GET /import-tasks/:id', { params: { id: 41 } })).toEqual(task)
  })

  it('names what differs', async () => {
    gateway.answer({ ...task, file_size: '3' })
    const admin = createAdminClient({ baseUrl: gateway.baseUrl, validate: true })
    await expect(admin('GET /import-tasks/:id', { params: { id: 41 } })).rejects.toThrow(
      /the answer of GET \/import-tasks\/:id is not valid: [^]*file_size/,
    )
  })
})
