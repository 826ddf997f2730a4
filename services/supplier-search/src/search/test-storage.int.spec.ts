import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import { findBrands, testStorage } from '@partsbus/contracts/supplier-search/commands'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { httpSupplier, type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'
import { testSupplier } from '@partsbus/contracts/supplier-search/overview'

let search: SearchUnderTest
let supplier: FakeSupplier
beforeAll(async () => {
  search = await startSearchUnderTest()
  supplier = await startFakeSupplier()
})
afterAll(async () => {
  await search.stop()
  await supplier.close()
})
beforeEach(() => {
  search.world.storages = [{ id: 1, name: 'Supplier', supplier: httpSupplier(supplier, { cache_seconds: 600 }) }]
})

const test = (article = 'OC90') => search.ask(testStorage, { id: 1, article })
const at = (base_url: string): void => {
  search.world.storages = [
    { id: 1, name: 'Supplier', supplier: httpSupplier(supplier, { base_url, timeout_ms: 2_000 }) },
  ]
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

describe('POST /storages/:id/test', () => {
  it("returns the brands in the supplier's spelling, also for an inactive storage", async () => {
    supplier.offer({
      brands: [
        { brand: 'Knecht', article: 'oc-90', name: 'Filter' },
        { brand: '', article: '', name: '' },
      ],
    })
    search.world.storages = search.world.storages.map((storage) => ({ ...storage, is_active: false }))
    expect(await test()).toEqual({
      ok: true,
      ms: expect.any(Number),
      brands: [{ brand: 'Knecht', article: 'oc-90', name: 'Filter' }],
      error: null,
    })
  })

  it('bypasses the cache and the circuit breaker', async () => {
    supplier.offer({ brands: [] })
    await search.ask(findBrands, { article: 'OC90' })
    supplier.requests.length = 0
    await test()
    await test()
    expect(supplier.requests).toHaveLength(2)
    supplier.respond((_request, response) => sendJson(response, {}, 500))
    for (let round = 0; round < 7; round += 1) await search.ask(findBrands, { article: `x${round}` })
    supplier.offer({ brands: [] })
    expect(await search.ask(findBrands, { article: 'y' })).toMatchObject({ message: 'No supplier answered.' })
    expect(await test()).toMatchObject({ ok: true })
  })

  it.each<[string, (fake: FakeSupplier) => void, string]>([
    [
      '401',
      (fake) => fake.respond((_request, response) => sendJson(response, {}, 401)),
      'The supplier refused the credentials (HTTP 401).',
    ],
    [
      '404',
      (fake) => fake.respond((_request, response) => sendJson(response, {}, 404)),
      'The supplier knows no such address (HTTP 404); check base_url and dialect.',
    ],
    [
      '500',
      (fake) => fake.respond((_request, response) => sendJson(response, {}, 500)),
      'The supplier answered HTTP 500.',
    ],
    [
      'a redirect',
      (fake) =>
        fake.respond((_request, response) => {
          response.writeHead(301, { location: '/x' }).end()
        }),
      'The supplier redirects (HTTP 301), which is not followed; base_url must be the final address.',
    ],
    [
      'no JSON',
      (fake) =>
        fake.respond((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
        }),
      'The answer is not JSON in UTF-8 (its content type is text/html).',
    ],
    [
      'another shape',
      (fake) => fake.respond((_request, response) => sendJson(response, { data: [] })),
      'The answer is not a list of brands; check base_url and dialect.',
    ],
    [
      '10 MB',
      (fake) =>
        fake.respond((_request, response) => {
          response.end(Buffer.alloc(10_000_000, 0x20))
        }),
      'The answer is larger than 2 MB.',
    ],
    [
      'a reset',
      (fake) =>
        fake.respond((_request, response) => {
          response.destroy()
        }),
      `was closed before the answer was complete.`,
    ],
    ['no answer', (fake) => fake.respond(() => undefined), 'No answer within 200 ms.'],
  ])('explains a failure: %s', async (_what, arrange, error) => {
    arrange(supplier)
    // only a limit that is meant to be reached is short: this machine may be busy
    if (error.startsWith('No answer'))
      search.world.storages = [{ id: 1, name: 'Supplier', supplier: httpSupplier(supplier, { timeout_ms: 200 }) }]
    expect(await test()).toEqual({
      ok: false,
      ms: expect.any(Number),
      brands: [],
      error: expect.stringContaining(error),
    })
  })

  it('explains a failed connection', async () => {
    const port = await closedPort()
    at(`http://127.0.0.1:${port}`)
    expect(await test()).toMatchObject({
      ok: false,
      error: `The connection to 127.0.0.1:${port} was refused; nothing listens there.`,
    })
    at('http://no-such-host.invalid')
    expect((await test()).error).toMatch(/^The host name no-such-host\.invalid cannot be resolved/)
    at(supplier.url.replace('http:', 'https:'))
    expect((await test()).error).toMatch(/TLS/)
    at('http://169.254.169.254/latest')
    expect((await test()).error).toMatch(/not allowed/)
  })

  it('explains that header values cannot be decrypted', async () => {
    search.world.storages = [{ id: 1, name: 'Sealed', supplier: null }]
    const error =
      'The stored header values cannot be decrypted with SECRETS_KEY; send them again, or add the older key.'
    expect(await test()).toMatchObject({ ok: false, brands: [], error })
  })

  it('refuses an address that is neither public nor allowed (rules.md#suppliers-guard)', async () => {
    const guarded = await startSearchUnderTest({ SUPPLIER_ALLOWED_HOSTS: '' })
    guarded.world.storages = search.world.storages
    const error = 'The address of 127.0.0.1 is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.'
    expect(await guarded.ask(testStorage, { id: 1, article: 'OC90' })).toMatchObject({ ok: false, error })
    await guarded.stop()
  })

  it('tests storages of own services, and returns NOT_FOUND for an unknown one', async () => {
    search.world.storages = [{ id: 1, name: 'List', supplier: { kind: 'price-list' } }]
    expect(await test()).toMatchObject({ ok: true, brands: [] })
    search.stopOther(findOffers)
    expect(await test()).toMatchObject({ ok: false, error: 'The price-list service did not answer.' })
    search.startOther(findOffers)
    await expect(search.ask(testStorage, { id: 99, article: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('POST /storages/test (admin.md#supplier-test)', () => {
  const ask = (fields: object = {}, storage_id?: number) =>
    search.ask(testSupplier, {
      supplier: httpSupplier(supplier, fields),
      article: 'OC90',
      ...(storage_id !== undefined && { storage_id }),
    })

  it('asks a supplier that is not saved', async () => {
    supplier.offer({ brands: [{ brand: 'Knecht', article: 'oc-90', name: 'Filter' }] })
    supplier.requests.length = 0
    expect(await ask({ headers: { 'x-key': 'sent' } })).toMatchObject({ ok: true, brands: [{ brand: 'Knecht' }] })
    expect(supplier.requests[0]?.headers['x-key']).toBe('sent')
  })

  it('sends the stored header values that the stock service puts in place of "***"', async () => {
    supplier.requests.length = 0
    expect(await ask({ headers: { 'x-key': '***' } }, 1)).toMatchObject({ ok: true })
    expect(supplier.requests[0]?.headers['x-key']).toBe('stored for 1')
  })

  it('reports that they cannot be decrypted, and queries no supplier', async () => {
    supplier.requests.length = 0
    const { ok, error } = await ask({ headers: { 'x-key': '***' } }, 2)
    expect([ok, error]).toEqual([false, expect.stringContaining('SECRETS_KEY')])
    expect(supplier.requests).toEqual([])
  })

  it('names the reason of a failure', async () => {
    const base_url = `http://127.0.0.1:${await closedPort()}`
    expect(await ask({ base_url })).toMatchObject({ ok: false, error: expect.stringContaining('was refused') })
  })

  it.each(['own-stock', 'price-list'] as const)('a new storage of the kind %s has nothing yet', async (kind) => {
    expect(await search.ask(testSupplier, { supplier: { kind }, article: 'OC90' })).toEqual({
      ok: true,
      ms: 0,
      brands: [],
      error: null,
    })
  })
})
