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

describe('what the ERP wrote', () => {
  const written = {
    name: 'Written',
    brand: 'КУВ',
    article: '00-12',
    category_ids_erp: ['st-later'],
    attributes: [{ name: 'Цвет', type: '', value: 'красный' }],
  }
  beforeAll(async () => {
    const { category_ids_erp, attributes, ...rest } = written
    const items = [
      { id_erp: 'st-written', ...rest, category_id_erp: category_ids_erp[0], attributes },
      { id_erp: 'st-bare', name: 'Bare' },
    ]
    expectStatus(await open().erp.post('/products/batch-upsert', items), 200)
  })

  it('is shown of products on request (erp.md#status-5)', async () => {
    const ids_erp = ['st-written', 'st-bare', 'st-none']
    const { products } = expectStatus(await ask({ ids_erp, fields: true }), 200).body
    const none = { name: null, brand: null, article: null, category_ids_erp: null, attributes: null }
    expect(products).toMatchObject([
      written,
      { ...none, name: 'Bare', category_ids_erp: [], attributes: [] },
      { ...none, found: false },
    ])
    for (const fields of [false, null, undefined]) {
      const plain = expectStatus(await ask({ ids_erp, fields }), 200).body.products
      expect(plain.flatMap((product) => Object.keys(product)).filter((name) => name in written)).toEqual([])
    }
    expect((await ask({ ids_erp, fields: 'yes' })).body.errors).toEqual({
      fields: ['The fields field must be true or false.'],
    })
  })

  it('is refused when it does not fit into 8 MiB, and shown of fewer products (erp.md#status-6)', async () => {
    const attributes = [{ name: 'Text', value: 'я'.repeat(1_600_000) }]
    const ids = ['st-large-1', 'st-large-2', 'st-large-3']
    for (const id of ids)
      expectStatus(await open().erp.post('/products/batch-upsert', [{ id_erp: id, name: id, attributes }]), 200)
    for (const ids_erp of [ids, Array<string | undefined>(3).fill(ids[0])]) {
      const { status, body } = await ask({ ids_erp, fields: true })
      expect([status, body]).toEqual([413, { message: 'The response is too large. Request fewer items at once.' }])
    }
    expect((await ask({ ids_erp: ids.slice(0, 2), fields: true })).body.products).toHaveLength(2)
    expect((await ask({ ids_erp: ids })).status).toBe(200)
  })

  it('is shown of categories, with the parent that is awaited (erp.md#category-status)', async () => {
    const send = (items: unknown[]) => open().erp.post('/categories/batch-upsert', items)
    expectStatus(
      await send([
        { id_erp: 'st-root', name: 'Root', is_active: false },
        { id_erp: 'st-child', name: 'Child', parent_id_erp: 'st-root', image_url: 'http://127.0.0.1:9/x.jpg' },
        { id_erp: 'st-waiting', name: 'Waiting', parent_id_erp: 'st-parent' },
      ]),
      200,
    )
    const show = async (ids_erp: unknown) =>
      open().erp.post<{ categories: unknown[]; errors?: unknown }>('/categories/status', { ids_erp })
    const ids = ['st-none', 'st-child', 'st-root', 'st-waiting', 'st-root']
    const { categories } = expectStatus(await show(ids), 200).body
    expect(categories[0]).toEqual({
      id_erp: 'st-none',
      found: false,
      name: null,
      parent_id_erp: null,
      pending_parent_id_erp: null,
      slug: null,
      is_active: null,
      updated_at: null,
      images: null,
    })
    const root = {
      name: 'Root',
      parent_id_erp: null,
      slug: 'root',
      is_active: false,
      images: { done: 0, problems: [] },
    }
    expect(categories.slice(1)).toMatchObject([
      { name: 'Child', parent_id_erp: 'st-root', images: { done: 0, problems: [{ url: 'http://127.0.0.1:9/x.jpg' }] } },
      root,
      { name: 'Waiting', parent_id_erp: null, pending_parent_id_erp: 'st-parent', is_active: true },
      root,
    ])
    const tooMany = await show(Array.from({ length: 1_001 }, (_, at) => `st-${at}`))
    expect([tooMany.status, tooMany.body.errors]).toEqual([
      422,
      { ids_erp: ['The ids_erp must not have more than 1000 items (setting erp_max_batch_items).'] },
    ])
    expect((await open().erp.as({}).post('/categories/status', { ids_erp: [] })).status).toBe(401)
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
