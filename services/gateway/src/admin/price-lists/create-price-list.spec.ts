import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPriceList } from '@partsbus/contracts/pricing-import/commands'
import { openStubApp } from '../../testing/stub-app.js'

let stub: Awaited<ReturnType<typeof openStubApp>>
beforeAll(async () => {
  stub = await openStubApp({ answer: () => '{"id": 7}' })
})
afterAll(() => stub?.close())

// admin.md#price-list-storage; a price-list service of an earlier version refuses fields that it does not know
it('sends the service in_search only where the storage is to be included', async () => {
  const send = async (in_search: boolean) => {
    const headers = { authorization: 'Bearer admin-token-of-the-specs', 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'L', storage_id: 1, in_search })
    const { statusCode } = await stub.ask({ method: 'POST', url: '/api/admin/price-lists', headers, body })
    const sent = stub.asked.filter(({ subject }) => subject === createPriceList.subject).at(-1)
    return [statusCode, JSON.parse(sent?.body ?? '')]
  }
  expect(await send(false)).toEqual([201, { name: 'L', storage_id: 1 }])
  expect(await send(true)).toEqual([201, { name: 'L', storage_id: 1, in_search: true, caller: expect.anything() }])
})
