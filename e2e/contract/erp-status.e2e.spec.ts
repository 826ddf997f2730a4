import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface Status {
  products: Record<string, unknown>[]
  errors?: unknown
}
interface Batches {
  batches: { at: string; request_id: string; call: string; status: number; duration_ms: number; counts: unknown }[]
}

const open = useShop()
const json = { 'content-type': 'application/json' }
const ask = (body: unknown) =>
  open().erp.send<Status>('POST', '/products/status', { body: JSON.stringify(body), headers: json })

describe('POST /products/status (erp.md#status)', () => {
  beforeAll(async () => {
    const products = [
      { id_erp: 'st-1', name: 'Status one', images: [{ url: 'http://127.0.0.1:9/x.jpg' }] },
      { id_erp: 'st-gone', name: 'Gone' },
    ]
    expectStatus(await open().erp.post('/products/batch-upsert', products), 200)
    await open().erp.post('/products/delete', { ids_erp: ['st-gone'] })
    await open().erp.post('/stocks/batch-update', [
      { product_id_erp: 'st-1', quantity: 7, supply_date: '2026-05-05', delivery_days: 2 },
    ])
    await open().erp.post('/prices/batch-update', [{ product_id_erp: 'st-1', selling_price: 10.5 }])
  })

  it('answers in the order sent what is stored (erp.md#status-2, erp.md#status-3, erp.md#status-4)', async () => {
    const { status, body } = await ask({ ids_erp: ['st-none', 'st-1', 'st-gone', 'st-1'] })
    expect([status, body.products.map(({ id_erp, found }) => [id_erp, found])]).toEqual([
      200,
      [
        ['st-none', false],
        ['st-1', true],
        ['st-gone', true],
        ['st-1', true],
      ],
    ])
    expect(body.products[0]).toEqual({
      id_erp: 'st-none',
      found: false,
      slug: null,
      is_active: null,
      is_deleted: null,
      updated_at: null,
      images: null,
      stock: null,
      prices: null,
    })
    expect(body.products[1]).toMatchObject({
      slug: 'status-one',
      is_active: true,
      is_deleted: false,
      images: { done: 0, problems: [{ url: 'http://127.0.0.1:9/x.jpg', reason: expect.stringMatching(/\S/) }] },
      stock: { quantity: 7, reserved: 0, shipped: 0, supply_date: '2026-05-05T00:00:00.000Z', delivery_days: 2 },
      prices: { selling_price: 10.5, purchase_price: null, old_price: null },
    })
    expect(body.products[2]).toMatchObject({ is_active: false, is_deleted: true, stock: null, prices: null })
  })

  it('takes at most 1,000 ids, and needs the token (erp.md#status-1)', async () => {
    const ids = Array.from({ length: 1_001 }, (_, at) => `st-${at}`)
    const refused = await ask({ ids_erp: ids })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { ids_erp: ['The ids_erp must not have more than 1000 items (setting erp_max_batch_items).'] },
    ])
    expect((await ask({ ids_erp: ids.slice(1) })).body.products).toHaveLength(1_000)
    expect((await ask({})).status).toBe(422)
    expect((await open().erp.as({}).post('/products/status', { ids_erp: [] })).status).toBe(401)
  })
})

describe('GET /batches (erp.md#batch-list)', () => {
  it('lists processed and refused batches with their counts, the newest first (erp.md#batch-list-1)', async () => {
    const send = (id: string, path: string, body: unknown) =>
      open().erp.send('POST', path, { body: JSON.stringify(body), headers: { ...json, 'x-request-id': id } })
    // batches of the same millisecond have no order
    const pause = () => delay(5)
    await send('list-1', '/products/batch-upsert', [
      { id_erp: 'st-1', name: 'Status one' },
      { id_erp: 'st-1', name: 'Status one', category_id_erp: 'st-no-category' },
    ])
    await pause()
    await send('list-2', '/products/delete', { ids_erp: ['st-none'] })
    await pause()
    await send('list-3', '/stocks/batch-update', [{ quantity: -1 }])
    await open().erp.get('/ping', { headers: { 'x-request-id': 'list-4' } })
    const listed = await waitFor(
      async () => {
        const { body } = expectStatus(await open().erp.get<Batches>('/batches'), 200)
        return body.batches.filter(({ request_id }) => request_id.startsWith('list-'))
      },
      ({ length }) => length >= 3,
    )
    expect(listed.map(({ request_id, call, status: sent, counts }) => [request_id, call, sent, counts])).toEqual([
      ['list-3', 'stocks/batch-update', 422, null],
      ['list-2', 'products/delete', 200, { requested: 1, deactivated: 0, not_found: 1 }],
      ['list-1', 'products/batch-upsert', 200, { processed: 2, created: 0, updated: 2, errors: 1, unchanged: 0 }],
    ])
    expect(Date.parse(listed[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect((await open().erp.as({}).get('/batches')).status).toBe(401)
  })
})
