import { request } from 'node:http'
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { openStubApp } from '../testing/stub-app.js'
import { ErpBatchReporter } from '../reports/erp-batch-reporter.js'

let stub: Awaited<ReturnType<typeof openStubApp>>
let answerNow: () => void
let asked: Promise<void>

beforeAll(async () => {
  let isAsked: () => void
  asked = new Promise((resolve) => (isAsked = resolve))
  stub = await openStubApp({
    answer: async (_call, setReplyHeader) => {
      isAsked()
      await new Promise<void>((resolve) => (answerNow = resolve))
      setReplyHeader('x-batch-counts', '{"processed":1}')
      return '{"processed":1}'
    },
  })
})
afterAll(() => stub.close())

it('a batch whose caller hung up is listed, logged and counted once (erp.md#batch-list-1)', async () => {
  const add = jest.spyOn(ErpBatchReporter.prototype, 'add')
  const { erp } = await stub.reset({ erp_enabled: true })
  const isClosed = new Promise((resolve) =>
    stub.app.server.once('connection', (socket) => socket.once('close', resolve)),
  )
  const headers = { authorization: `Bearer ${erp}`, 'content-type': 'application/json', 'x-request-id': 'gone' }
  const options = {
    host: '127.0.0.1',
    port: stub.port,
    method: 'POST',
    path: '/api/erp/products/batch-upsert',
    headers,
  }
  const sent = request({ ...options, agent: false }).on('error', () => undefined)
  sent.end('[]')
  await asked
  sent.destroy()
  await isClosed
  answerNow()
  await waitFor(
    async () => add.mock.calls.length,
    (count) => count > 0,
    5_000,
  )
  expect(add.mock.calls).toEqual([
    [expect.objectContaining({ request_id: 'gone', call: 'products/batch-upsert', status: 200 })],
  ])
  const metrics = await stub.metrics.registry.metrics()
  expect(metrics).toMatch(/http_server_request_duration_seconds_count\{[^}]*products\/batch-upsert[^}]*\} 1\n/)
})
