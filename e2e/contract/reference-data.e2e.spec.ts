import { afterAll, describe, expect, it } from '@jest/globals'
import { expectStatus, type Page } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface Row {
  id: number
  name: string
  [field: string]: unknown
}

const open = useShop()

const make = async (resource: string, body: object) =>
  expectStatus(await open().admin.post<Row>(resource, body), 201).body

describe('reference data', () => {
  afterAll(() => open().set({ storages_for_crosses: [] }))

  // admin.md#pick-up-points, admin.md#storages
  it('creates, reads, updates, lists and deletes a pick-up point', async () => {
    const { admin } = open()
    const full = {
      name: 'Склад на Ленина',
      country: 'RU',
      region: 'Пермский край',
      city: 'Пермь',
      address: 'ул. Ленина, 1',
      phone: '+7',
      email: 'a@b.c',
      description: 'd',
      schedule: '9–18',
      is_active: false,
      storage_ids: [open().storageId],
    }
    const point = await make('/pick-up-points', full)
    expect(point).toEqual({ id: expect.any(Number), ...full })
    expect((await admin.get(`/pick-up-points/${point.id}`)).body).toEqual(point)
    const patched = await admin.patch(`/pick-up-points/${point.id}`, { city: null, is_active: true })
    expect([patched.status, patched.body]).toEqual([200, { ...point, city: null, is_active: true }])
    const list = (await admin.get<Page<Row>>('/pick-up-points?per_page=500')).body
    expect(list.data.map((one) => one.id)).toContain(point.id)
    expect((await admin.delete(`/pick-up-points/${point.id}`)).status).toBe(204)
    const gone = await admin.get(`/pick-up-points/${point.id}`)
    expect([gone.status, gone.body]).toEqual([404, { message: 'Not found.' }])
  })

  it.each([
    ['/pick-up-points', {}, 'name'],
    ['/pick-up-points', { name: ' ' }, 'name'],
    ['/pick-up-points', { name: 'x', storage_ids: [999_999] }, 'storage_ids'],
    ['/pick-up-points', { name: 'x', is_active: 'yes' }, 'is_active'],
    ['/storages', { name: 5 }, 'name'],
    ['/storages', { name: 'x', supplier: { kind: 'magic' } }, 'supplier'],
    ['/storages', { name: 'x', supplier: { kind: 'http', base_url: 'ftp://x' } }, 'supplier'],
    ['/storages', { name: 'x', supplier: { kind: 'http' } }, 'supplier'],
    ['/storages', { name: 'x', supplier: { kind: 'http', base_url: 'http://x.example', timeout_ms: -1 } }, 'supplier'],
  ])('POST %s with %j returns 422 on %s', async (resource, body, path) => {
    const answer = await open().admin.post<{ message: string; errors: Record<string, string[]> }>(resource, body)
    expect([answer.status, answer.body.message]).toEqual([422, 'The given data was invalid.'])
    expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^${path}`))
  })

  it("header values of an http supplier are never shown again, and '***' keeps them (admin.md#secrets)", async () => {
    const { admin } = open()
    const supplier = {
      kind: 'http',
      base_url: 'https://supplier.example/api',
      headers: { 'X-Key': 'a-secret-of-the-supplier', Accept: 'application/json' },
      timeout_ms: 2_000,
      cache_seconds: 30,
      dialect: 'standard',
    }
    const storage = await make('/storages', { name: 'By http', supplier })
    const hidden = { ...supplier, headers: { 'X-Key': '***', Accept: '***' } }
    expect(storage).toMatchObject({ name: 'By http', is_active: true, supplier: hidden })
    for (const path of ['/storages?per_page=500', `/storages/${storage.id}`, '/audit?per_page=500'])
      expect((await admin.get(path)).text).not.toContain('a-secret-of-the-supplier')
    const kept = await admin.patch(`/storages/${storage.id}`, { supplier: hidden })
    expect([kept.status, kept.body]).toEqual([200, storage])
    expect(
      (await admin.patch<Row>(`/storages/${storage.id}`, { supplier: { kind: 'own-stock' } })).body.supplier,
    ).toEqual({ kind: 'own-stock' })
    expect((await admin.delete(`/storages/${storage.id}`)).status).toBe(204)
  })

  it('returns 409 with the references instead of deleting a referenced resource (admin.md#references)', async () => {
    const { admin } = open()
    const storage = await make('/storages', { name: 'Referred to' })
    const point = await make('/pick-up-points', { name: 'The point that refers', storage_ids: [storage.id] })
    const byPoint = await admin.delete<{ message: string }>(`/storages/${storage.id}`)
    expect([byPoint.status, byPoint.body.message]).toEqual([409, expect.stringContaining('The point that refers')])
    await admin.delete(`/pick-up-points/${point.id}`)
    await open().set({ storages_for_crosses: [storage.id] })
    const bySetting = await admin.delete<{ message: string }>(`/storages/${storage.id}`)
    expect([bySetting.status, bySetting.body.message]).toEqual([409, expect.stringContaining('storages_for_crosses')])
    await open().set({ storages_for_crosses: [] })
    for (const [path, setting] of [
      [`/storages/${open().storageId}`, 'erp_storage_id'],
      [`/pick-up-points/${open().pointId}`, 'erp_pick_up_point_id'],
    ]) {
      const answer = await admin.delete<{ message: string }>(String(path))
      expect([answer.status, typeof answer.body.message, setting]).toEqual([409, 'string', setting])
    }
    expect((await admin.delete(`/storages/${storage.id}`)).status).toBe(204)
  })

  // admin.md#lists
  it.each(['per_page=501', 'per_page=0', 'page=0', 'page=x'])('returns 422 for a list with %s', async (query) => {
    for (const list of [
      '/storages',
      '/pick-up-points',
      '/products',
      '/categories',
      '/supplies',
      '/audit',
      '/media-jobs',
    ]) {
      expect([list, (await open().admin.get(`${list}?${query}`)).status]).toEqual([list, 422])
    }
  })

  it('returns 404 for invalid ids', async () => {
    for (const path of [
      '/storages/0',
      '/storages/-1',
      '/storages/abc',
      '/storages/1e3',
      '/products/abc',
      '/pick-up-points/99999999999999999999',
    ]) {
      const answer = await open().admin.get(path)
      expect([path, answer.status]).toEqual([path, 404])
    }
  })
})
