import { afterAll, describe, expect, it } from '@jest/globals'
import { expectStatus, type Page } from '../testing/shop.js'
import { usePartner } from '../testing/contract-product.js'

interface Group {
  id: number
  canonical: string
  synonyms: string[]
}
interface Invalid {
  message: string
  errors: Record<string, string[]>
}

const open = usePartner()

describe('administration of the search', () => {
  const admin = () => open().shop.admin
  const refused = async (path: string, body: object): Promise<string[]> => {
    const answer = await admin().post<Invalid>(path, body)
    expect([answer.status, answer.body.message]).toEqual([422, 'The given data was invalid.'])
    return Object.keys(answer.body.errors)
  }

  // admin.md#brand-synonyms
  describe('/brand-synonyms', () => {
    it('a group is created, read, listed, changed in part and removed', async () => {
      const group = expectStatus(
        await admin().post<Group>('/brand-synonyms', { canonical: 'Адмирал', synonyms: ['ADM', 'Admiral'] }),
        201,
      ).body
      expect(group).toEqual({ id: group.id, canonical: 'Адмирал', synonyms: ['ADM', 'Admiral'] })
      expect((await admin().get(`/brand-synonyms/${group.id}`)).body).toEqual(group)
      expect((await admin().get<Page<Group>>('/brand-synonyms?per_page=500')).body.data).toContainEqual(group)
      expect((await admin().patch(`/brand-synonyms/${group.id}`, { synonyms: [] })).body).toEqual({
        ...group,
        synonyms: [],
      })
      expect((await admin().patch(`/brand-synonyms/${group.id}`, { canonical: 'ADM' })).body).toEqual({
        id: group.id,
        canonical: 'ADM',
        synonyms: [],
      })
      expect((await admin().patch(`/brand-synonyms/${group.id}`, group)).body).toEqual(group)
      expect((await admin().delete(`/brand-synonyms/${group.id}`)).status).toBe(204)
      for (const answer of [
        await admin().get(`/brand-synonyms/${group.id}`),
        await admin().patch(`/brand-synonyms/${group.id}`, {}),
        await admin().delete(`/brand-synonyms/${group.id}`),
      ])
        expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }])
    })
    it('a spelling belongs to one group only, however it is written', async () => {
      const { id } = (await admin().post<Group>('/brand-synonyms', { canonical: 'Unique One', synonyms: ['U-1'] })).body
      const other = (await admin().post<Group>('/brand-synonyms', { canonical: 'Other' })).body
      expect(other.synonyms).toEqual([])
      expect(await refused('/brand-synonyms', { canonical: ' unique  ONE ', synonyms: [] })).toEqual(['canonical'])
      expect(await refused('/brand-synonyms', { canonical: 'New', synonyms: ['fine', '«u-1»'] })).toEqual([
        'synonyms.1',
      ])
      expect(
        (await admin().patch<Invalid>(`/brand-synonyms/${other.id}`, { synonyms: ['UNIQUE ONE'] })).body.errors,
      ).toHaveProperty(['synonyms.0'])
      expect((await admin().patch(`/brand-synonyms/${id}`, { synonyms: ['U-1', 'unique one'] })).status).toBe(200)
      await admin().delete(`/brand-synonyms/${id}`)
      expect((await admin().patch(`/brand-synonyms/${other.id}`, { synonyms: ['UNIQUE ONE'] })).status).toBe(200)
      await admin().delete(`/brand-synonyms/${other.id}`)
    })
    it.each<[object, string]>([
      [{}, 'canonical'],
      [{ canonical: '' }, 'canonical'],
      [{ canonical: 5 }, 'canonical'],
      [{ canonical: '""' }, 'canonical'],
      [{ canonical: 'x'.repeat(192) }, 'canonical'],
      [{ canonical: 'Q', synonyms: 'x' }, 'synonyms'],
      [{ canonical: 'Q', synonyms: ['a', ' '] }, 'synonyms.1'],
      [{ canonical: 'Q', synonyms: [5] }, 'synonyms.0'],
    ])('422: %j on %s', async (body, path) => {
      expect(await refused('/brand-synonyms', body)).toEqual([path])
    })
  })

  // admin.md#supplier
  describe('supplier of a storage', () => {
    it.each<object>([
      { kind: 'own-stock' },
      { kind: 'price-list' },
      {
        kind: 'http',
        base_url: 'https://x.example/api',
        headers: { a: '***' },
        timeout_ms: 10_000,
        cache_seconds: 0,
        dialect: 'abcp',
      },
    ])('stores %j unchanged', async (supplier) => {
      const sent = 'headers' in supplier ? { ...supplier, headers: { a: 'secret' } } : supplier
      const { id } = expectStatus(
        await admin().post<{ id: number }>('/storages', { name: 'S', supplier: sent }),
        201,
      ).body
      expect((await admin().get(`/storages/${id}`)).body).toEqual({ id, name: 'S', is_active: true, supplier })
      expect((await admin().delete(`/storages/${id}`)).status).toBe(204)
    })
    it('defaults to own-stock; http defaults to 4 s, the dialect standard and its own cache time', async () => {
      const bare = (await admin().post<{ id: number; supplier: object }>('/storages', { name: 'S' })).body
      expect(bare.supplier).toEqual({ kind: 'own-stock' })
      const http = (
        await admin().post<{ id: number; supplier: object }>('/storages', {
          name: 'S',
          supplier: { kind: 'http', base_url: 'https://x.example' },
        })
      ).body
      expect(http.supplier).toMatchObject({
        kind: 'http',
        timeout_ms: 4_000,
        cache_seconds: expect.any(Number),
        dialect: 'standard',
      })
      for (const { id } of [bare, http]) await admin().delete(`/storages/${id}`)
    })
    it.each<[object, string]>([
      [{ kind: 'magic' }, 'supplier'],
      [{}, 'supplier'],
      [{ kind: 'http' }, 'supplier.base_url'],
      [{ kind: 'http', base_url: 'ftp://x' }, 'supplier.base_url'],
      [{ kind: 'http', base_url: 'x' }, 'supplier.base_url'],
      [{ kind: 'http', base_url: 'https://x.example', timeout_ms: 0 }, 'supplier.timeout_ms'],
      [{ kind: 'http', base_url: 'https://x.example', cache_seconds: -1 }, 'supplier.cache_seconds'],
      [{ kind: 'http', base_url: 'https://x.example', dialect: 'soap' }, 'supplier.dialect'],
      [{ kind: 'http', base_url: 'https://x.example', headers: { 'bad name': 'x' } }, 'supplier.headers'],
      [{ kind: 'http', base_url: 'https://x.example', headers: { a: 'x\r\ny' } }, 'supplier.headers'],
    ])('422: %j on %s', async (supplier, path) => {
      expect((await refused('/storages', { name: 'S', supplier }))[0]).toMatch(
        new RegExp(`^${path.replace('.', '\\.')}`),
      )
    })
    // admin.md#storage-test
    it('POST /storages/:id/test sends one request without the cache and describes the error', async () => {
      const { id, supplier } = await open().newRemote('Tested', { cache_seconds: 60 })
      supplier.offer({ brands: [{ brand: 'Bosch', article: 'T 1', name: 'n', price: 1 }] })
      for (let count = 1; count <= 2; count++) {
        expect((await admin().post(`/storages/${id}/test`, { article: 't1' })).body).toEqual({
          ok: true,
          ms: expect.any(Number),
          brands: [{ brand: 'Bosch', article: 'T 1', name: 'n' }],
          error: null,
        })
        expect(supplier.requests).toHaveLength(count)
      }
      await supplier.close()
      expect((await admin().post(`/storages/${id}/test`, { article: 't1' })).body).toEqual({
        ok: false,
        ms: expect.any(Number),
        brands: [],
        error: expect.stringMatching(/^.{10,}/),
      })
      for (const body of [{}, { article: '' }, { article: 5 }])
        expect(await refused(`/storages/${id}/test`, body)).toEqual(['article'])
      expect((await admin().post('/storages/999999/test', { article: 'x' })).status).toBe(404)
    })
  })

  describe('settings', () => {
    afterAll(() =>
      open().shop.set({
        storages_for_crosses: [],
        'price-lists.import.max_file_size': 52_428_800,
        b2b_rate_limit: null,
      }),
    )
    // admin.md#settings-patch
    it.each<[string, unknown]>([
      ['b2b_enabled', 'true'],
      ['b2b_enabled', 1],
      ['b2b_enabled', null],
      ['b2b_token', 'mine'],
      ['storages_for_crosses', [999_999]],
      ['storages_for_crosses', ['1']],
      ['storages_for_crosses', 1],
      ['storages_for_crosses', null],
      ['price-lists.import.max_file_size', 0],
      ['price-lists.import.max_file_size', '5'],
      ['price-lists.import.max_file_size', 1.5],
      ['price-lists.import.max_file_size', null],
      ['price-lists', { import: { max_file_size: 5 } }],
      ['admin_locale', 'de'],
      ['admin_locale', null],
      ['b2b_rate_limit', 0],
      ['b2b_rate_limit', '5'],
      ['retention_days', 0],
      ['audit_retention_days', -1],
    ])('returns 422 for %s = %j and changes nothing', async (name, value) => {
      const before = (await admin().get('/settings')).body
      const answer = await admin().patch<Invalid>('/settings', { media_wait_ms: 4_321, [name]: value })
      expect([answer.status, answer.body.message, Object.keys(answer.body.errors)[0]?.startsWith(name)]).toEqual([
        422,
        'The given data was invalid.',
        true,
      ])
      expect((await admin().get('/settings')).body).toEqual(before)
    })
    it('returns the stored settings, and a storage in them cannot be deleted', async () => {
      const storage = await open().newStorage({ kind: 'own-stock' }, 'Named')
      const change = {
        storages_for_crosses: [storage],
        'price-lists.import.max_file_size': 1_000_000,
        b2b_rate_limit: 1_000,
      }
      expect((await admin().patch('/settings', change)).body).toMatchObject(change)
      expect((await admin().get('/settings')).body).toMatchObject(change)
      const answer = await admin().delete<{ message: string }>(`/storages/${storage}`)
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('storages_for_crosses')])
    })
  })
})
