import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { HttpStorage } from '../search/storage-answer.js'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier } from '../testing/search-under-test.js'
import { HeldByQuery } from './reply-memory.js'
import { SupplierClient } from './supplier-client.js'
import { SupplierTransport } from './transport.js'

let fake: FakeSupplier
let suppliers: SupplierClient
const clock = { now: 0 }
let articles = 0
beforeAll(async () => {
  fake = await startFakeSupplier()
  suppliers = new SupplierClient(new SupplierTransport({ reach: 'private', allowedHosts: [] }), () => clock.now)
})
afterAll(async () => {
  await suppliers.onModuleDestroy()
  await fake.close()
})
beforeEach(() => {
  fake.requests.length = 0
})

/** The outcome of a query for a new article. */
async function ask(storage: HttpStorage): Promise<string> {
  return suppliers.findBrands(storage, `article-${(articles += 1)}`, 5_000, new HeldByQuery()).then(
    () => 'ok',
    (error: Error) => error.constructor.name,
  )
}
const many = (count: number, storage: HttpStorage) => Promise.all(Array.from({ length: count }, () => ask(storage)))
const storageOf = (id: number): HttpStorage => ({
  id,
  name: 'S',
  supplier: httpSupplier(fake) as HttpStorage['supplier'],
})

it('sends one probe 30 s after five failures, and all queries after it succeeded', async () => {
  const storage = storageOf(1)
  fake.respond((_request, response) => sendJson(response, {}, 500))
  for (let failure = 0; failure < 5; failure += 1) expect(await ask(storage)).toBe('AppError')
  expect(await ask(storage)).toBe('CircuitOpen')
  clock.now += 29_999
  expect(await many(3, storage)).toEqual(Array(3).fill('CircuitOpen'))
  expect(fake.requests).toHaveLength(5)
  clock.now += 1
  fake.offer({ brands: [] })
  expect((await many(4, storage)).sort()).toEqual(['CircuitOpen', 'CircuitOpen', 'CircuitOpen', 'ok'])
  expect(await many(4, storage)).toEqual(Array(4).fill('ok'))
})

it('waits another 30 s after a failed probe', async () => {
  const storage = storageOf(2)
  fake.respond((_request, response) => sendJson(response, {}, 500))
  for (let failure = 0; failure < 5; failure += 1) await ask(storage)
  clock.now += 30_000
  expect(await ask(storage)).toBe('AppError')
  fake.offer({ brands: [] })
  clock.now += 29_999
  expect(await ask(storage)).toBe('CircuitOpen')
  clock.now += 1
  expect(await ask(storage)).toBe('ok')
})

it('has a circuit breaker for each storage and configuration', async () => {
  const [one, other] = [storageOf(3), storageOf(4)]
  fake.respond((_request, response) => sendJson(response, {}, 500))
  for (let failure = 0; failure < 5; failure += 1) await ask(one)
  fake.offer({ brands: [] })
  expect([await ask(one), await ask(other)]).toEqual(['CircuitOpen', 'ok'])
  expect(await ask({ ...one, supplier: { ...one.supplier, headers: { key: 'new' } } })).toBe('ok')
})
