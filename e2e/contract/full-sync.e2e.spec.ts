import { afterAll, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface Sync {
  id: string
  status: string
  deactivated: { categories: number; products: number }
  message: string
  errors: unknown
  full_sync: { id: string }
  counts: { products: { active: number; not_sent: number }; categories: { active: number; not_sent: number } }
}

interface NotSent {
  ids_erp: string[]
  next_after: number | null
  errors?: unknown
}

const open = useShop()
const json = { 'content-type': 'application/json' }
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  open().erp.send<Sync>('POST', path, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { ...json, ...headers },
  })
const item = (id: string) => ({ id_erp: id, name: id })

describe('a full sync (erp.md#full-sync)', () => {
  afterAll(async () => {
    // the product is shared: what the completion deactivated belongs to other specs that are over
    const { body } = await post('/full-sync')
    await post(`/full-sync/${body.id ?? body.full_sync.id}/cancel`)
  })

  // erp.md#full-sync-1, erp.md#full-sync-2, erp.md#full-sync-3, erp.md#full-sync-6
  it('is open once, and can be read and cancelled', async () => {
    const { id, status } = expectStatus(await post('/full-sync'), 200).body
    expect(status).toBe('open')
    const second = await post('/full-sync')
    expect([second.status, second.body.message, second.body.full_sync.id]).toEqual([
      409,
      'A full sync is in progress.',
      id,
    ])
    expect((await open().erp.get<Sync>(`/full-sync/${id}`)).body).toMatchObject({ id, status: 'open' })
    expect((await post(`/full-sync/${id}/cancel`)).body.status).toBe('cancelled')
    expect((await post(`/full-sync/${id}/complete`, { max_deactivated_percent: 100 })).status).toBe(409)
    // an empty value is no missing header: its items would count as not sent
    for (const sent of [id, '', ' ']) {
      const late = await post('/products/batch-upsert', [item('fs-late')], { 'x-full-sync': sent })
      expect([late.status, late.body.errors]).toEqual([
        422,
        { 'x-full-sync': ['The selected x-full-sync is invalid. It must be open.'] },
      ])
    }
    for (const path of ['/products/status', '/products/delete'])
      expect((await post(path, { ids_erp: ['fs-late'] }, { 'x-full-sync': id })).status).toBe(200)
    expect((await open().erp.get(`/full-sync/${'0'.repeat(24)}`)).status).toBe(404)
    expect((await open().erp.get('/full-sync/x')).status).toBe(404)
  })

  // erp.md#full-sync-3, erp.md#full-sync-4, erp.md#full-sync-5, erp.md#full-sync-7
  it('deactivates what was not sent, up to the limit', async () => {
    expectStatus(await post('/categories/batch-upsert', [item('fs-cat')]), 200)
    expectStatus(await post('/products/batch-upsert', ['fs-1', 'fs-2'].map(item)), 200)
    const { id } = expectStatus(await post('/full-sync'), 200).body
    expectStatus(await post('/products/batch-upsert', [item('fs-1')], { 'x-full-sync': id }), 200)
    expectStatus(await post('/products/batch-upsert', [item('fs-new')]), 200)
    const refused = await post(`/full-sync/${id}/complete`, { max_deactivated_percent: 0 })
    expect([refused.status, refused.body.message]).toEqual([409, 'More items would be deactivated than allowed.'])
    expect(refused.body.counts.products.not_sent).toBeGreaterThanOrEqual(1)
    expect(refused.body.counts.categories.not_sent).toBe(0)
    expect((await open().productOf('fs-2')).is_active).toBe(true)
    const notSent = async (query: string) => open().erp.get<NotSent>(`/full-sync/${id}/not-sent${query}`)
    const ids: string[] = []
    for (let after: number | null = 0; after !== null;) {
      const page: NotSent = expectStatus(await notSent(`?kind=products&after=${after}`), 200).body
      ids.push(...page.ids_erp)
      after = page.next_after
    }
    expect(ids).toContain('fs-2')
    expect([ids.includes('fs-1'), ids.includes('fs-new'), ids.length]).toEqual([
      false,
      false,
      refused.body.counts.products.not_sent,
    ])
    expect((await notSent('?kind=categories')).body).toEqual({ ids_erp: [], next_after: null })
    expect((await notSent('')).body.errors).toEqual({ kind: ['The kind field is required.'] })
    expect((await notSent('?kind=stocks&after=x')).body.errors).toEqual({
      kind: ['The selected kind is invalid. It must be categories or products.'],
      after: ['The after must be an integer.'],
    })
    expect((await post(`/full-sync/${id}/complete`, {})).status).toBe(422)
    const done = expectStatus(await post(`/full-sync/${id}/complete`, { max_deactivated_percent: 100 }), 200).body
    expect(done.status).toBe('completed')
    expect(done.deactivated).toEqual({ categories: 0, products: refused.body.counts.products.not_sent })
    expect((await post(`/full-sync/${id}/complete`, { max_deactivated_percent: 0 })).body).toEqual(done)
    const over = await notSent('?kind=products')
    expect([over.status, over.body]).toEqual([409, { message: 'The full sync is not open.' }])
    expect((await open().erp.get(`/full-sync/${'0'.repeat(24)}/not-sent?kind=products`)).status).toBe(404)
    const states = []
    for (const each of ['fs-1', 'fs-2', 'fs-new']) {
      const { is_active, deleted_at } = await open().productOf(each)
      states.push([each, is_active, deleted_at !== null])
    }
    expect(states).toEqual([
      ['fs-1', true, false],
      ['fs-2', false, true],
      ['fs-new', true, false],
    ])
    expect((await open().categoryOf('fs-cat')).is_active).toBe(true)
  })
})
