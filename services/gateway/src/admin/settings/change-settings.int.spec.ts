import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import { getPickUpPoint, getStorage } from '@partsbus/contracts/stock/commands'
import { pickUpPoint, storage } from '../../testing/resources.js'
import type { RunningGateway } from '../../start.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: RunningGateway
let other: RunningGateway
const known = { storages: new Set([1, 2, 3]), points: new Set([1]) }

const settings = (method: string, path = '', body?: unknown, replica = gateway) =>
  administer(replica.port, method, `/settings${path}`, body)
const audit = async () =>
  (await administer(gateway.port, 'GET', '/audit?per_page=500')).body.data as Array<{
    action: string
    actor: string
    details: Record<string, unknown>
  }>
const ping = async (token: string, replica: RunningGateway) =>
  (await fetch(`http://127.0.0.1:${replica.port}/api/erp/ping`, { headers: { authorization: `Bearer ${token}` } }))
    .status

beforeAll(async () => {
  stage = await openRealStage('change_settings')
  const find = <Row extends object>(ids: Set<number>, id: number, row: Row): Row => {
    if (!ids.has(id)) throw new AppError('NOT_FOUND', 'Not found.')
    return { ...row, id }
  }
  answerCommand(stage.nc, getStorage, ({ body }) => find(known.storages, body.id, storage))
  answerCommand(stage.nc, getPickUpPoint, ({ body }) => find(known.points, body.id, pickUpPoint))
  await stage.nc.flush()
  gateway = await stage.startGateway()
  other = await stage.startGateway()
})
afterAll(() => stage.close())
afterEach(() => settings('PATCH', '', defaultSettings))

describe('GET /settings', () => {
  it('has the documented defaults and no tokens (admin.md#settings-table)', async () => {
    expect(await settings('GET')).toEqual({
      status: 200,
      body: {
        erp_enabled: false,
        erp_storage_id: null,
        erp_pick_up_point_id: null,
        erp_allowed_ips: [],
        erp_error_policy: 'reject_batch',
        erp_max_batch_items: 1_000,
        b2b_enabled: false,
        storages_for_crosses: [],
        'price-lists.import.max_file_size': 52_428_800,
        media_allowed_hosts: [],
        media_wait_ms: 5_000,
        admin_locale: 'en',
        erp_rate_limit: null,
        b2b_rate_limit: null,
        retention_days: 60,
        audit_retention_days: 365,
        maintenance: null,
        erp_token: null,
        b2b_token: null,
      },
    })
  })
})

describe('PATCH /settings', () => {
  /** 80 of them are about what settings may hold that go with each call. */
  const hosts = Array.from(
    { length: 100 },
    (_, at) => `${`h${at}`.padEnd(60, 'x')}.${'y'.repeat(60)}.${'z'.repeat(60)}`,
  )
  const change = {
    erp_enabled: true,
    erp_storage_id: 2,
    erp_pick_up_point_id: 1,
    erp_allowed_ips: ['127.0.0.0/8', '2001:db8::1'],
    erp_error_policy: 'reject_failed_rows',
    erp_max_batch_items: 5_000,
    storages_for_crosses: [3, 1],
    'price-lists.import.max_file_size': 1,
    media_allowed_hosts: ['erp.local', '10.0.0.0/8'],
    media_wait_ms: 0,
    admin_locale: 'ru',
    erp_rate_limit: 60,
    b2b_rate_limit: null,
    retention_days: 1,
    audit_retention_days: 36_500,
  }
  it('accepts any subset, returns all settings, and applies on every gateway', async () => {
    expect(await settings('PATCH', '', change)).toMatchObject({ status: 200, body: { ...change, b2b_enabled: false } })
    expect((await settings('GET')).body).toMatchObject(change)
    expect((await settings('GET', '', undefined, other)).body).toMatchObject(change)
    expect(await settings('PATCH', '', { admin_locale: 'en' })).toMatchObject({
      body: { ...change, admin_locale: 'en' },
    })
  })
  it('null clears what may be null', async () => {
    await settings('PATCH', '', { erp_storage_id: 1, erp_rate_limit: 5 })
    expect((await settings('PATCH', '', { erp_storage_id: null, erp_rate_limit: null })).body).toMatchObject({
      erp_storage_id: null,
      erp_rate_limit: null,
    })
  })
  it('nothing sent, nothing changed, nothing recorded', async () => {
    const before = (await audit()).length
    expect((await settings('PATCH', '', {})).status).toBe(200)
    expect((await audit()).length).toBe(before)
  })

  it('any change, the empty one too, gives the partner API a token where it is on and has none', async () => {
    for (const change of [{ b2b_enabled: true }, {}, { admin_locale: 'en' }]) {
      const { token } = (await settings('PATCH', '', change)).body.b2b_token as { token?: string }
      expect(token).toMatch(/^[\w-]{43}$/)
      await settings('DELETE', '/b2b-token')
    }
  })

  const refused: Array<[object, Record<string, string[]>]> = [
    [{ erp_enable: true }, { erp_enable: ['The erp_enable field is unknown.'] }],
    [{ erp_token: 'x' }, { erp_token: ['The erp_token field is unknown.'] }],
    [{ erp_enabled: 'true' }, { erp_enabled: ['The erp_enabled field must be true or false.'] }],
    [{ erp_enabled: null }, { erp_enabled: ['The erp_enabled field is required.'] }],
    [
      { erp_max_batch_items: 0, media_wait_ms: 30_001 },
      {
        erp_max_batch_items: ['The erp_max_batch_items must be at least 1.'],
        media_wait_ms: ['The media_wait_ms must not be greater than 30000.'],
      },
    ],
    [{ erp_storage_id: '1' }, { erp_storage_id: ['The erp_storage_id must be an integer.'] }],
    [
      { erp_storage_id: 9, erp_pick_up_point_id: 2 },
      {
        erp_storage_id: ['The selected erp_storage_id is invalid.'],
        erp_pick_up_point_id: ['The selected erp_pick_up_point_id is invalid.'],
      },
    ],
    [
      { storages_for_crosses: [1, 77, 2, 78] },
      {
        'storages_for_crosses.1': ['The selected storages_for_crosses.1 is invalid.'],
        'storages_for_crosses.3': ['The selected storages_for_crosses.3 is invalid.'],
      },
    ],
    [
      { erp_allowed_ips: ['10.0.0.1', '::1', 'localhost'] },
      { 'erp_allowed_ips.2': ['The erp_allowed_ips.2 must be an IP address or a CIDR range.'] },
    ],
    [{ erp_allowed_ips: [5] }, { 'erp_allowed_ips.0': ['The erp_allowed_ips.0 must be a string.'] }],
    [
      { media_allowed_hosts: ['erp.local', 'http://erp.local'] },
      { 'media_allowed_hosts.1': ['The media_allowed_hosts.1 must be a host name, an IP address or a CIDR range.'] },
    ],
    [
      { admin_locale: 'de', erp_error_policy: '' },
      {
        admin_locale: ['The selected admin_locale is invalid. It must be en or ru.'],
        erp_error_policy: ['The selected erp_error_policy is invalid. It must be reject_batch or reject_failed_rows.'],
      },
    ],
  ]
  it.each(refused)('all or nothing: %j', async (change, errors) => {
    const before = (await audit()).length
    const answer = await settings('PATCH', '', { retention_days: 7, ...change })
    expect(answer).toEqual({
      status: 422,
      body: { message: 'The given data was invalid.', errors, violations: expect.any(Array) },
    })
    expect((await settings('GET')).body).toMatchObject(defaultSettings)
    expect((await audit()).length).toBe(before)
  })
  it('changes made at once, through two gateways, are all there and all recorded', async () => {
    const before = (await audit()).length
    const changes = [
      { media_wait_ms: 1 },
      { retention_days: 2 },
      { audit_retention_days: 300 },
      { erp_rate_limit: 4 },
      { b2b_rate_limit: 5 },
      { admin_locale: 'ru' },
      { erp_max_batch_items: 7 },
      { erp_allowed_ips: ['::1'] },
    ]
    const answers = await Promise.all(
      changes.map((change, at) => settings('PATCH', '', change, at % 2 === 0 ? gateway : other)),
    )
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    for (const replica of [gateway, other])
      expect((await settings('GET', '', undefined, replica)).body).toMatchObject(Object.assign({}, ...changes))
    expect((await audit()).length).toBe(before + changes.length)
  })
  // admin.md#settings-patch
  it('lists that would take the room of a batch from each call are refused', async () => {
    expect(await settings('PATCH', '', { media_allowed_hosts: hosts, retention_days: 7 })).toMatchObject({
      status: 422,
      body: {
        errors: {
          media_allowed_hosts: [
            'The media_allowed_hosts is too long: it takes the settings that go with each call above 16384 bytes.',
          ],
        },
        violations: [{ path: 'media_allowed_hosts', rule: 'max' }],
      },
    })
    expect((await settings('GET')).body).toMatchObject(defaultSettings)
    expect((await settings('PATCH', '', { media_allowed_hosts: hosts.slice(0, 80) })).status).toBe(200)
  })
  it('the audit log records old and new values', async () => {
    await settings('PATCH', '', { 'price-lists.import.max_file_size': 9, admin_locale: 'en' })
    expect((await audit())[0]).toMatchObject({ actor: 'admin', action: 'settings.patch' })
    expect((await audit())[0]?.details).toEqual({
      changed: { 'price-lists.import.max_file_size': { from: 52_428_800, to: 9 } },
    })
  })
})

describe('tokens', () => {
  it('are 256 random bits, shown once, kept as hashes, dead everywhere when the next one is there', async () => {
    await settings('PATCH', '', { erp_enabled: true })
    const first = (await settings('POST', '/erp-token')).body as { token: string; last4: string; issued_at: string }
    expect(first.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(first.last4).toBe(first.token.slice(-4))
    expect((await settings('GET')).body.erp_token).toEqual({ last4: first.last4, issued_at: first.issued_at })
    expect([await ping(first.token, gateway), await ping(first.token, other)]).toEqual([200, 200])
    const second = (await settings('POST', '/erp-token')).body as { token: string }
    expect(second.token).not.toBe(first.token)
    expect([await ping(first.token, gateway), await ping(first.token, other)]).toEqual([401, 401])
    expect([await ping(second.token, gateway), await ping(second.token, other)]).toEqual([200, 200])
    expect(await settings('DELETE', '/erp-token')).toEqual({ status: 204, body: {} })
    expect([await ping(second.token, gateway), await ping(second.token, other)]).toEqual([401, 401])
    expect((await settings('GET')).body.erp_token).toBeNull()
    const kept = JSON.stringify([await stage.db.collection('settings').find().toArray(), await audit()])
    for (const { token } of [first, second]) expect(kept).not.toContain(token)
    expect((await audit()).slice(0, 3)).toMatchObject([
      { action: 'erp-token.revoke', details: { last4: second.token.slice(-4) } },
      { action: 'erp-token.issue', details: { last4: second.token.slice(-4), replaced: first.last4 } },
      { action: 'erp-token.issue', details: { last4: first.last4, replaced: null } },
    ])
  })
  it('the ERP token before it is accepted within the overlap, everywhere (admin.md#tokens-overlap)', async () => {
    await settings('PATCH', '', { erp_enabled: true })
    const issue = async (body?: object) => (await settings('POST', '/erp-token', body)).body as { token: string }
    const accepted = async (...tokens: Array<{ token: string }>) => {
      const statuses = []
      for (const { token } of tokens) statuses.push([await ping(token, gateway), await ping(token, other)])
      return statuses
    }
    const first = await issue()
    const second = await issue({ overlap_minutes: 60 })
    expect(second).toMatchObject({ previous_valid_until: expect.stringMatching(/Z$/) })
    expect(await accepted(first, second)).toEqual([
      [200, 200],
      [200, 200],
    ])
    expect((await settings('GET')).body.erp_token).toMatchObject({
      last4: second.token.slice(-4),
      previous: { last4: first.token.slice(-4) },
    })
    const third = await issue({ overlap_minutes: 5 })
    expect(await accepted(first, second, third)).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ])
    const fourth = await issue({})
    expect(Object.keys(fourth).toSorted()).toEqual(['issued_at', 'last4', 'token'])
    expect(await accepted(third, fourth)).toEqual([
      [401, 401],
      [200, 200],
    ])
    await issue({ overlap_minutes: 5 })
    await settings('DELETE', '/erp-token')
    expect(await accepted(fourth)).toEqual([[401, 401]])
    for (const body of [{ overlap_minutes: -1 }, { overlap_minutes: 10_081 }, { overlap: 5 }])
      expect((await settings('POST', '/erp-token', body)).status).toBe(422)
  })
  it('any body is ignored where none is needed', async () => {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/api/admin/settings/erp-token`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin-token-of-the-specs', 'content-type': 'text/plain' },
      body: '{not json',
    })
    expect([answer.status, Object.keys((await answer.json()) as object).toSorted()]).toEqual([
      200,
      ['issued_at', 'last4', 'token'],
    ])
  })
  it('revoking without a token is fine', async () => {
    await settings('DELETE', '/b2b-token')
    expect((await settings('DELETE', '/b2b-token')).status).toBe(204)
  })
  it('B2B switched on without a token makes one and shows it once', async () => {
    await settings('DELETE', '/b2b-token')
    const { token, last4 } = (await settings('PATCH', '', { b2b_enabled: true })).body.b2b_token as {
      token: string
      last4: string
    }
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect((await settings('GET')).body.b2b_token).toEqual({ last4, issued_at: expect.any(String) })
    expect((await settings('PATCH', '', { b2b_enabled: true })).body.b2b_token).toEqual({
      last4,
      issued_at: expect.any(String),
    })
    expect(JSON.stringify(await audit())).not.toContain(token)
  })
})

describe('while the stock service is unreachable', () => {
  it('a change that names a storage is answered 503, any other is made', async () => {
    const alone = await openRealStage('change_settings_alone')
    const single = await alone.startGateway()
    expect(
      await administer(single.port, 'PATCH', '/settings', { erp_storage_id: 1, admin_locale: 'ru' }),
    ).toMatchObject({ status: 503 })
    expect(await administer(single.port, 'PATCH', '/settings', { retention_days: 3 })).toMatchObject({
      status: 200,
      body: { retention_days: 3, admin_locale: 'en' },
    })
    await alone.close()
  })
})
