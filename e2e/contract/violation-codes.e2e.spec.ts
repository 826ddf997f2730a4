import { describe, expect, it } from '@jest/globals'
import { useShop } from '../testing/contract-product.js'
import { expectStatus } from '../testing/shop.js'

const open = useShop()

interface Coded {
  errors: Record<string, string[]>
  violations: { path: string; rule: string; limit?: number }[]
}
interface Refused {
  message: string
  by: { kind: string; id: number | string; name: string }[]
}

describe('violations of the admin API (admin.md#violation-codes)', () => {
  it('have codes beside their texts', async () => {
    const { body } = expectStatus(
      await open().admin.post<Coded>('/pick-up-points', { name: 'x'.repeat(192), storage_ids: [999_999], colour: 1 }),
      422,
    )
    expect(body.violations).toEqual(
      expect.arrayContaining([
        { path: 'name', rule: 'max', limit: 191 },
        { path: 'colour', rule: 'unknown' },
      ]),
    )
    expect(body.violations).toHaveLength(2)
    expect(body.errors).toEqual({
      name: ['The name must not be greater than 191 characters.'],
      colour: ['The colour field is unknown.'],
    })
  })

  it('say that an id does not exist, and what is no address', async () => {
    const patch = { erp_storage_id: 999_999, erp_allowed_ips: ['10.0.0.1', 'x'] }
    const { body } = expectStatus(await open().admin.patch<Coded>('/settings', patch), 422)
    expect(body.violations).toEqual([
      { path: 'erp_allowed_ips.1', rule: 'format' },
      { path: 'erp_storage_id', rule: 'exists' },
    ])
  })

  it('say that a spelling is taken', async () => {
    const { admin } = open()
    const group = { canonical: 'CODED', synonyms: ['CODE-D'] }
    const { id } = expectStatus(await admin.post<{ id: number }>('/brand-synonyms', group), 201).body
    const { body } = expectStatus(await admin.post<Coded>('/brand-synonyms', { canonical: 'coded' }), 422)
    expect(body.violations).toEqual([{ path: 'canonical', rule: 'taken' }])
    expectStatus(await admin.delete(`/brand-synonyms/${id}`), 204)
  })

  it('say that a secret must be sent again', async () => {
    const { admin } = open()
    const supplier = { kind: 'http', base_url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'hidden' } }
    const { id } = expectStatus(await admin.post<{ id: number }>('/storages', { name: 'Coded', supplier }), 201).body
    const moved = { ...supplier, base_url: 'http://127.0.0.1:10/', headers: { 'X-Key': '***' } }
    const { body } = expectStatus(await admin.patch<Coded>(`/storages/${id}`, { supplier: moved }), 422)
    expect(body.violations).toEqual([{ path: 'supplier.headers.X-Key', rule: 'resend' }])
    expectStatus(await admin.delete(`/storages/${id}`), 204)
  })

  it('have no codes for the ERP', async () => {
    const { body } = expectStatus(await open().erp.post<object>('/products/batch-upsert', [{ id_erp: 'coded' }]), 422)
    expect(Object.keys(body)).toEqual(['message', 'errors'])
  })
})

describe('a deletion that is refused (admin.md#references)', () => {
  it('names the setting that refers to the storage', async () => {
    const { admin, storageId } = open()
    const { body } = expectStatus(await admin.delete<Refused>(`/storages/${storageId}`), 409)
    expect(body.by).toEqual([{ kind: 'setting', id: 'erp_storage_id', name: 'erp_storage_id' }])
  })

  it('names the price list of the storage', async () => {
    const { admin } = open()
    const supplier = { kind: 'price-list' }
    const storage = expectStatus(await admin.post<{ id: number }>('/storages', { name: 'Listed', supplier }), 201).body
      .id
    const list = expectStatus(
      await admin.post<{ id: number }>('/price-lists', { name: 'Its list', storage_id: storage }),
      201,
    ).body.id
    const { body } = expectStatus(await admin.delete<Refused>(`/storages/${storage}`), 409)
    expect(body.by).toEqual([{ kind: 'price-list', id: list, name: 'Its list' }])
    expectStatus(await admin.delete(`/price-lists/${list}`), 204)
    expectStatus(await admin.delete(`/storages/${storage}`), 204)
  })
})
