import { afterAll, describe, expect, it } from '@jest/globals'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import type { Page } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

interface AuditEntry {
  at: string
  actor: string
  action: string
  details: unknown
}

interface TokenStamp {
  last4: string
  issued_at: string
  token?: string
}

type Settings = Record<string, unknown> & { erp_token: TokenStamp | null; b2b_token: TokenStamp | null }

const open = useShop()

describe('administration', () => {
  afterAll(async () => {
    await open().set({ b2b_enabled: false, admin_locale: 'en', storages_for_crosses: [], erp_allowed_ips: [] })
  })

  // admin.md#auth
  it.each(['/settings', '/audit', '/products', '/nowhere'])(
    'answers 401 on %s without the admin token',
    async (path) => {
      for (const headers of [
        {},
        { authorization: `Bearer ${open().erpToken}` },
        { authorization: 'Basic x' },
        { authorization: 'Bearer' },
      ]) {
        const answer = await open()
          .admin.as(headers as Record<string, string>)
          .get(path)
        expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.' }])
      }
    },
  )

  // admin.md#settings-get, admin.md#settings-table
  it('shows all settings, and tokens only by their last four characters', async () => {
    const { body, text } = await open().admin.get<Settings>('/settings')
    expect(body).toEqual({
      ...defaultSettings,
      erp_enabled: true,
      erp_storage_id: open().storageId,
      erp_pick_up_point_id: open().pointId,
      erp_token: { last4: open().erpToken.slice(-4), issued_at: expect.stringMatching(/Z$/) },
      b2b_token: null,
    })
    expect(text).not.toContain(open().erpToken)
  })

  it.each([
    ['no_such_setting', 1],
    ['erp_token', 'mine'],
    ['erp_enabled', 'yes'],
    ['erp_enabled', null],
    ['erp_storage_id', 999_999],
    ['erp_pick_up_point_id', 999_999],
    ['erp_storage_id', '1'],
    ['erp_allowed_ips', ['300.1.1.1']],
    ['erp_allowed_ips', ['10.0.0.0/33']],
    ['erp_allowed_ips', ['example.org']],
    ['erp_allowed_ips', '10.0.0.1'],
    ['erp_error_policy', 'whatever'],
    ['erp_max_batch_items', 0],
    ['erp_max_batch_items', 5_001],
    ['media_wait_ms', 30_001],
    ['media_wait_ms', -1],
    ['media_allowed_hosts', ['http://x/']],
    ['admin_locale', 'de'],
    ['erp_rate_limit', 0],
    ['storages_for_crosses', [999_999]],
  ])('PATCH %s = %j is 422 on that path and changes nothing (admin.md#settings-patch)', async (name, value) => {
    const before = (await open().admin.get('/settings')).body
    const answer = await open().admin.patch<{ message: string; errors: Record<string, string[]> }>('/settings', {
      admin_locale: name === 'admin_locale' ? value : 'ru',
      [name]: value,
    })
    expect([answer.status, answer.body.message]).toEqual([422, 'The given data was invalid.'])
    expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^${name}`))
    expect((await open().admin.get('/settings')).body).toEqual(before)
  })

  // admin.md#maintenance
  it('refuses writes of every API during maintenance, and still reads and searches', async () => {
    const text = 'Backup until 03:00 UTC.'
    const { admin, erp } = open()
    const b2b = (await admin.patch<{ b2b_token: { token: string } }>('/settings', { b2b_enabled: true })).body.b2b_token
    const partner = open().outside.as({ authorization: `Bearer ${b2b.token}` })
    await open().set({ maintenance: text })
    const refused = [
      await erp.post('/products/batch-upsert', [{ id_erp: 'MAINTENANCE-1', name: 'Filter' }]),
      await erp.post('/full-sync'),
      await partner.post('/api/b2b/upload-price-list', {}),
      await admin.post('/storages', { name: 'Maintenance' }),
    ]
    for (const answer of refused) {
      expect([answer.status, answer.body]).toMatchObject([503, { message: text }])
      expect(answer.headers['retry-after']).toBe('60')
    }
    const served = [
      await erp.get('/ping'),
      await erp.post('/products/status', { ids_erp: ['MAINTENANCE-1'] }),
      await partner.post('/api/b2b/get-parts', { article: 'X', brands: ['X'] }),
      await admin.get('/storages'),
      await admin.post('/search/brands', { article: 'X' }),
    ]
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await open().set({ maintenance: null, b2b_enabled: false })
    expect((await admin.delete('/settings/b2b-token')).status).toBe(204)
    expect((await erp.post('/products/batch-upsert', [])).status).toBe(200)
  })

  it('PATCH answers like GET, keeps the other settings, and accepts IPv4 and IPv6 addresses and CIDRs', async () => {
    const patch = { erp_allowed_ips: ['127.0.0.1', '::1', '10.0.0.0/8', '2001:db8::/32'], admin_locale: 'ru' }
    const answer = await open().admin.patch<Settings>('/settings', patch)
    expect([answer.status, answer.body]).toEqual([200, (await open().admin.get('/settings')).body])
    expect(answer.body).toMatchObject({ ...patch, erp_enabled: true })
  })

  // admin.md#settings-b2b-token, partners.md#auth-4
  it('enabling B2B without a token issues one, which is shown once', async () => {
    const on = await open().admin.patch<Settings>('/settings', { b2b_enabled: true })
    const token = on.body.b2b_token?.token ?? ''
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect(on.body.b2b_token).toMatchObject({ last4: token.slice(-4) })
    expect((await open().admin.get('/settings')).text).not.toContain(token)
    expect(
      (await open().admin.patch<Settings>('/settings', { b2b_enabled: true })).body.b2b_token?.token,
    ).toBeUndefined()
    const again = await open().admin.post<TokenStamp>('/settings/b2b-token')
    expect([again.body.last4, again.body.token === token]).toEqual([again.body.token?.slice(-4), false])
    expect((await open().admin.delete('/settings/b2b-token')).status).toBe(204)
    expect((await open().admin.get<Settings>('/settings')).body.b2b_token).toBeNull()
  })

  it('B2B has its own checks: 503, 500, 401 (partners.md#authentication)', async () => {
    const ask = (headers: Record<string, string> = {}) =>
      open().outside.post('/api/b2b/get-pick-up-points', undefined, headers)
    await open().set({ b2b_enabled: false })
    const off = await ask()
    expect([off.status, off.body]).toEqual([503, { result: false, message: 'B2B API is disabled.' }])
    await open().set({ b2b_enabled: true })
    for (const headers of [{}, { authorization: `Bearer ${open().erpToken}` }]) {
      const wrong = await ask(headers as Record<string, string>)
      expect([wrong.status, wrong.body]).toEqual([401, { result: false, message: 'Unauthenticated.' }])
    }
    await open().admin.delete('/settings/b2b-token')
    const none = await ask()
    expect([none.status, none.body]).toEqual([500, { result: false, message: 'B2B API token is not configured.' }])
  })

  it('records an audit of all changes, newest first, without secrets (admin.md#audit)', async () => {
    await open().set({ media_wait_ms: 4_999 })
    await open().set({ media_wait_ms: 5_000 })
    await open().admin.delete('/settings/b2b-token')
    const answer = await open().admin.get<Page<AuditEntry>>('/audit?per_page=500')
    expect(answer.status).toBe(200)
    const { data, total, page, per_page } = answer.body
    expect([page, per_page, total >= data.length]).toEqual([1, 500, true])
    for (const entry of data)
      expect(entry).toMatchObject({
        id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        actor: expect.any(String),
        action: expect.any(String),
        entity: expect.any(String),
        request_id: expect.any(String),
        address: expect.any(String),
        details: expect.anything(),
      })
    expect(data.map((entry) => entry.at)).toEqual(
      data
        .map((entry) => entry.at)
        .toSorted()
        .toReversed(),
    )
    expect(JSON.stringify(data)).toContain('media_wait_ms')
    expect(answer.text).not.toContain(open().erpToken)
    expect(answer.text).not.toContain(open().product.adminToken)
  })

  it('answers errors as {message}, and the place in a bad body (admin.md#errors, rules.md#body-error)', async () => {
    const { admin } = open()
    const json = { 'content-type': 'application/json' }
    const answers = await Promise.all([
      admin.send<object>('PATCH', '/settings', { body: '{oops', headers: json }),
      admin.get<object>('/nowhere'),
      admin.send<object>('DELETE', '/settings'),
      admin.send<object>('PATCH', '/settings', { body: '{}', headers: { 'content-type': 'text/plain' } }),
    ])
    expect(answers.map((answer) => [answer.status, Object.keys(answer.body)])).toEqual([
      [400, ['message', 'body_error']],
      ...[404, 405, 415].map((status) => [status, ['message']]),
    ])
  })
})
