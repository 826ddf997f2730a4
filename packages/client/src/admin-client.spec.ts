import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdminClient } from './admin-client.js'
import { AnswerError } from './answer-error.js'
import { createErpClient } from './erp-client.js'
import { createPartnerClient } from './partner-client.js'

interface Received {
  line: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let baseUrl: string
let received: Received[]
let respond: (response: ServerResponse, count: number) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      received.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString('utf8') })
      respond(response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  received = []
  answer({})
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): void {
  respond = (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  }
}

async function failure(work: () => Promise<unknown>): Promise<AnswerError> {
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AnswerError)) throw new Error(`not an AnswerError: ${String(error)}`)
  return error
}

describe('a call of the admin API', () => {
  it('fills the path and the query, and sends the token', async () => {
    const admin = createAdminClient({ baseUrl: `${baseUrl}/`, token: 'secret' })
    await admin('GET /products', { query: { q: 'OC 90', trashed: true, category_id: undefined } })
    await admin('POST /price-lists/:id/sources/:source_id/run', { params: { id: 7, source_id: 2 } })
    await admin('GET /products/by-erp-id/*', { params: { erp_id: 'P/1 %' } })
    expect(received.map(({ line }) => line)).toEqual([
      'GET /api/admin/products?q=OC+90&trashed=true',
      'POST /api/admin/price-lists/7/sources/2/run',
      'GET /api/admin/products/by-erp-id/P%2F1%20%25',
    ])
    expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
  })

  it('sends a body as JSON and the revision as If-Match, and answers the new revision', async () => {
    answer({ id: 2, name: 'North' }, 200, { etag: '"8"', 'x-request-id': 'r-1' })
    const admin = createAdminClient({ baseUrl })
    const call = admin.exchange('PATCH /storages/:id', { params: { id: 2 }, body: { name: 'North' }, ifMatch: '"7"' })
    expect(await call).toEqual({ answer: { id: 2, name: 'North' }, etag: '"8"', requestId: 'r-1' })
    expect(received[0]).toMatchObject({
      line: 'PATCH /api/admin/storages/2',
      body: '{"name":"North"}',
      headers: { 'content-type': 'application/json', 'if-match': '"7"' },
    })
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  it('answers undefined to 204, and the response itself where it is no JSON', async () => {
    const admin = createAdminClient({ baseUrl })
    respond = (response) => response.writeHead(204).end()
    expect(await admin('DELETE /storages/:id', { params: { id: 2 } })).toBeUndefined()
    respond = (response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('a;b')
    const csv = await admin('GET /import-tasks/:id/skipped.csv', { params: { id: 41 } })
    expect(await csv.text()).toBe('a;b')
  })

  it('ends when its signal is aborted', async () => {
    const aborted = new AbortController()
    respond = () => aborted.abort()
    const admin = createAdminClient({ baseUrl })
    await expect(admin('GET /settings', { signal: aborted.signal })).rejects.toThrow('aborted')
  })

  it('sends a form with its fields before the file', async () => {
    answer({ result: true, message: 'OK', task_id: 41 })
    const admin = createAdminClient({ baseUrl, token: 'secret' })
    const file = new Blob(['a;b'])
    const sent = { params: { id: 7 }, file, fileName: 'price.csv', fields: { mode: 'merge' } }
    expect(await admin.upload('POST /price-lists/:id/upload', sent)).toMatchObject({ task_id: 41 })
    expect(received[0]).toMatchObject({ line: 'POST /api/admin/price-lists/7/upload' })
    expect(received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(received[0]?.body).toMatch(/name="mode"[^]*merge[^]*name="document"; filename="price.csv"[^]*a;b/)
  })
})

describe('an error', () => {
  it('has the status, the texts, the codes and the headers', async () => {
    const errors = { name: ['The name field is required.'] }
    const violations = [{ path: 'name', rule: 'required' }]
    answer({ message: 'The given data was invalid.', errors, violations }, 422, { 'x-request-id': 'r-2' })
    const admin = createAdminClient({ baseUrl })
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
    const admin = createAdminClient({ baseUrl })
    answer({ message: 'It was changed meanwhile.', current: { id: 2, name: 'South' } }, 412)
    expect(await failure(() => admin('GET /settings'))).toMatchObject({ current: { id: 2, name: 'South' } })
    answer({ message: 'used', by: [{ kind: 'price-list', id: 7, name: 'L' }] }, 409)
    expect(await failure(() => admin('GET /settings'))).toMatchObject({
      by: [{ kind: 'price-list', id: 7, name: 'L' }],
    })
  })

  it('that no gateway sent has its status', async () => {
    respond = (response) => response.writeHead(502, { 'retry-after': '3' }).end('<h1>Bad gateway</h1>')
    const admin = createAdminClient({ baseUrl, retry: false })
    expect(await failure(() => admin('GET /settings'))).toMatchObject({
      status: 502,
      message: 'HTTP 502',
      retryAfter: 3,
    })
  })
})

const task = {
  id: 41,
  price_list_id: 7,
  status: 'processing',
  status_label: 'Processing',
  source_type: 'manual',
  total_rows: 2,
  processed_rows: 1,
  imported_rows: 1,
  skipped_rows: 0,
  error_message: null,
  started_at: null,
  completed_at: null,
  file_name: 'price.csv',
  file_size: 3,
  rows_per_second: null,
  superseded: false,
  created_at: '2026-11-22T09:00:00.000Z',
  created_by: 'anna',
  queue_position: null,
  skipped_by_code: {},
  error_code: null,
  is_live: false,
  live_rows: 0,
  merged_into: null,
  warnings: [],
  retry_of: null,
}

describe('following an import without server-sent events', () => {
  it('reports each change once, up to the final state', async () => {
    respond = (response, count) => {
      const status = count < 3 ? 'processing' : 'completed'
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...task, status }))
    }
    const admin = createAdminClient({ baseUrl })
    const seen: string[] = []
    await new Promise<void>((resolve) => {
      admin.follow(41, ({ status }) => {
        seen.push(status)
        if (status === 'completed') resolve()
      })
    })
    expect(seen).toEqual(['processing', 'completed'])
    expect(received.every(({ line }) => line === 'GET /api/admin/import-tasks/41')).toBe(true)
  })

  it('ends with the error when there is no such import', async () => {
    answer({ message: 'Not found.' }, 404)
    const admin = createAdminClient({ baseUrl })
    const error = await new Promise<unknown>((resolve) => {
      admin.follow(41, () => undefined, { onError: resolve })
    })
    expect(error).toMatchObject({ status: 404 })
    expect(received).toHaveLength(1)
    await expect(admin.wait(41)).rejects.toMatchObject({ status: 404 })
  })

  it('waits for its end, and says what happens until then', async () => {
    respond = (response, count) => {
      const status = count < 3 ? 'processing' : 'failed'
      const body = received[0]?.line.startsWith('POST') && count === 1 ? { task_id: 41 } : { ...task, status }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const admin = createAdminClient({ baseUrl, token: 'secret' })
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
    answer(task)
    const aborted = new AbortController()
    const admin = createAdminClient({ baseUrl })
    const waiting = admin.wait(41, { signal: aborted.signal, onTask: () => aborted.abort(new Error('enough')) })
    await expect(waiting).rejects.toThrow('enough')
    const { signal } = aborted
    await expect(admin.wait(41, { signal })).rejects.toThrow('enough')
  })
})

describe('validation of answers', () => {
  it('accepts an answer as the contract has it', async () => {
    answer(task)
    const admin = createAdminClient({ baseUrl, validate: true })
    expect(await admin('GET /import-tasks/:id', { params: { id: 41 } })).toEqual(task)
  })

  it('names what differs', async () => {
    answer({ ...task, file_size: '3' })
    const admin = createAdminClient({ baseUrl, validate: true })
    await expect(admin('GET /import-tasks/:id', { params: { id: 41 } })).rejects.toThrow(
      /the answer of GET \/import-tasks\/:id is not valid: [^]*file_size/,
    )
  })
})

describe('the other APIs', () => {
  it('sends a batch of the ERP with its error policy', async () => {
    answer({ processed: 1, created: 1, updated: 0, errors: [] })
    const erp = createErpClient({ baseUrl, token: 'erp', validate: true })
    const body = [{ id_erp: 'P-1', name: 'Filter' }]
    expect(await erp('POST /products/batch-upsert', { body, errorPolicy: 'reject-failed-rows' })).toMatchObject({
      created: 1,
    })
    expect(received[0]).toMatchObject({
      line: 'POST /api/erp/products/batch-upsert',
      body: JSON.stringify(body),
      headers: { authorization: 'Bearer erp', 'x-error-policy': 'reject-failed-rows' },
    })
  })

  it('searches and uploads as a partner', async () => {
    const partner = createPartnerClient({ baseUrl, token: 'b2b', validate: true })
    answer({ result: true, message: 'OK', parts: [] })
    expect(await partner('POST /get-parts', { body: { article: 'OC 90', brands: ['MAHLE'] } })).toMatchObject({
      parts: [],
    })
    answer({ result: true, message: 'OK', task_id: 41 })
    const upload = partner.uploadPriceList({ priceListId: 7, file: new File(['a;b'], 'price.csv') })
    expect(await upload).toMatchObject({ task_id: 41 })
    expect(received.map(({ line }) => line)).toEqual(['POST /api/b2b/get-parts', 'POST /api/b2b/upload-price-list'])
    expect(received[1]?.body).toMatch(/name="id"[^]*7[^]*filename="price.csv"/)
  })

  it('waits for the end of a partner’s import', async () => {
    const { id, status_label, ...rest } = { ...task, status: 'completed' }
    respond = (response, count) => {
      const body = count === 1 ? { task_id: 41 } : { task: { id, status_label, ...rest } }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const partner = createPartnerClient({ baseUrl, token: 'b2b' })
    const upload = partner.uploadAndWait({ priceListId: 7, file: new File(['a;b'], 'price.csv') })
    expect(await upload).toMatchObject({ id: 41, status: 'completed' })
    expect(received[1]).toMatchObject({ line: 'POST /api/b2b/get-price-list-status', body: '{"task_id":41}' })
  })

  it('cuts a list into batches, and refuses none of the forms', async () => {
    answer({ processed: 1 })
    const erp = createErpClient({ baseUrl, token: 'erp' })
    const options = { maxItems: 2, requestId: 'night', errorPolicy: 'reject-failed-rows' } as const
    for await (const { answer: counts } of erp.batches('POST /products/delete', ['P-1', 'P-2', 'P-3'], options))
      expect(counts).toEqual({ processed: 1 })
    expect(received.map(({ line, body }) => `${line} ${body}`)).toEqual([
      'POST /api/erp/products/delete {"ids_erp":["P-1","P-2"]}',
      'POST /api/erp/products/delete {"ids_erp":["P-3"]}',
    ])
    expect(received.map(({ headers }) => headers['x-request-id'])).toEqual(['night-1', 'night-2'])
    expect(received[1]?.headers).toMatchObject({ 'x-error-policy': 'reject-failed-rows' })
  })

  it('repeats a batch, but not the start of a full sync', async () => {
    respond = (response) => response.writeHead(503, { 'retry-after': '0' }).end()
    const erp = createErpClient({ baseUrl, token: 'erp', retry: { attempts: 3 } })
    expect(await failure(() => erp('POST /stocks/batch-update', { body: [] }))).toMatchObject({ status: 503 })
    expect(received).toHaveLength(3)
    expect(await failure(() => erp('POST /full-sync'))).toMatchObject({ status: 503 })
    expect(received).toHaveLength(4)
  })
})
