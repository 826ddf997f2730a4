import { describe, expect, it } from '@jest/globals'
import { createErpClient } from './erp-client.js'
import { createPartnerClient } from './partner-client.js'
import { failure, task, useGateway } from './testing/recording-gateway.js'

const gateway = useGateway()

describe('the APIs of the ERP and of partners', () => {
  it('sends a batch of the ERP with its error policy', async () => {
    gateway.answer({ processed: 1, created: 1, updated: 0, errors: [] })
    const erp = createErpClient({ baseUrl: gateway.baseUrl, token: 'erp', validate: true })
    const body = [{ id_erp: 'P-1', name: 'Filter' }]
    expect(await erp('POST /products/batch-upsert', { body, errorPolicy: 'reject-failed-rows' })).toMatchObject({
      created: 1,
    })
    expect(gateway.received[0]).toMatchObject({
      line: 'POST /api/erp/products/batch-upsert',
      body: JSON.stringify(body),
      headers: { authorization: 'Bearer erp', 'x-error-policy': 'reject-failed-rows' },
    })
  })

  it('searches and uploads as a partner', async () => {
    const partner = createPartnerClient({ baseUrl: gateway.baseUrl, token: 'b2b', validate: true })
    gateway.answer({ result: true, message: 'OK', parts: [] })
    expect(await partner('POST /get-parts', { body: { article: 'OC 90', brands: ['MAHLE'] } })).toMatchObject({
      parts: [],
    })
    gateway.answer({ result: true, message: 'OK', task_id: 41 })
    const upload = partner.uploadPriceList({ priceListId: 7, file: new File(['a;b'], 'price.csv') })
    expect(await upload).toMatchObject({ task_id: 41 })
    expect(gateway.received.map(({ line }) => line)).toEqual([
      'POST /api/b2b/get-parts',
      'POST /api/b2b/upload-price-list',
    ])
    expect(gateway.received[1]?.body).toMatch(/name="id"[^]*7[^]*filename="price.csv"/)
  })

  it('waits for the end of a partner’s import', async () => {
    const { id, status_label, ...rest } = { ...task, status: 'completed' }
    gateway.respond = (response, count) => {
      const body = count === 1 ? { task_id: 41 } : { task: { id, status_label, ...rest } }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const partner = createPartnerClient({ baseUrl: gateway.baseUrl, token: 'b2b' })
    const upload = partner.uploadAndWait({ priceListId: 7, file: new File(['a;b'], 'price.csv') })
    expect(await upload).toMatchObject({ id: 41, status: 'completed' })
    expect(gateway.received[1]).toMatchObject({ line: 'POST /api/b2b/get-price-list-status', body: '{"task_id":41}' })
  })

  it('sends ids in batches, each with a request id of its own', async () => {
    gateway.answer({ processed: 1 })
    const erp = createErpClient({ baseUrl: gateway.baseUrl, token: 'erp' })
    const options = { maxItems: 2, requestId: 'night', errorPolicy: 'reject-failed-rows' } as const
    for await (const { answer: counts } of erp.batches('POST /products/delete', ['P-1', 'P-2', 'P-3'], options))
      expect(counts).toEqual({ processed: 1 })
    expect(gateway.received.map(({ line, body }) => `${line} ${body}`)).toEqual([
      'POST /api/erp/products/delete {"ids_erp":["P-1","P-2"]}',
      'POST /api/erp/products/delete {"ids_erp":["P-3"]}',
    ])
    expect(gateway.received.map(({ headers }) => headers['x-request-id'])).toEqual(['night-1', 'night-2'])
    expect(gateway.received[1]?.headers).toMatchObject({ 'x-error-policy': 'reject-failed-rows' })
  })

  it('repeats a batch, but not the start of a full sync', async () => {
    gateway.respond = (response) => response.writeHead(503, { 'retry-after': '0' }).end()
    const erp = createErpClient({ baseUrl: gateway.baseUrl, token: 'erp', retry: { attempts: 3 } })
    expect(await failure(() => erp('POST /stocks/batch-update', { body: [] }))).toMatchObject({ status: 503 })
    expect(gateway.received).toHaveLength(3)
    expect(await failure(() => erp('POST /full-sync'))).toMatchObject({ status: 503 })
    expect(gateway.received).toHaveLength(4)
  })
})
