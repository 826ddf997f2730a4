import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Method } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'
import { converse } from '../testing/raw-socket.js'
import { FORM_TYPE } from '@partsbus/test-kit/form'
import { type PartnerBody, refusal, said } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const DISABLED = refusal(503, 'B2B API is disabled.')
const UNCONFIGURED = refusal(500, 'B2B API token is not configured.')
const WRONG = refusal(401, 'Unauthenticated.')

const paths = ['/get-pick-up-points', '/get-brands', '/get-parts', '/upload-price-list', '/get-price-list-status']
const anywhere = [...paths, '', '/', '/nowhere', '/get-brands/', '/%zz', '/%ff']
const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface SettingsView {
  b2b_token: { last4: string; issued_at: string; token?: string } | null
}

const open = usePartner()

describe('authentication of partners', () => {
  const stranger = () => open().b2b.as({})
  const everywhere = async (headers: Record<string, string>, expected: unknown): Promise<void> => {
    for (const path of anywhere) {
      for (const method of methods) {
        const answer = await open()
          .b2b.as(headers)
          .send(method, path, method === 'GET' ? {} : { body: '{not json', headers: { 'content-type': 'text/plain' } })
        expect([method, path, said(answer)]).toEqual([method, path, expected])
      }
    }
  }

  describe('check 1: b2b_enabled is false (partners.md#auth-1)', () => {
    beforeAll(() => open().shop.set({ b2b_enabled: false }))
    afterAll(() => open().shop.set({ b2b_enabled: true }))
    // rules.md#order-of-work
    it('503 for every request, before token, path, method and body', async () => {
      await everywhere({}, DISABLED)
      await everywhere({ authorization: `Bearer ${open().token}` }, DISABLED)
    })
  })

  describe('check 2: no token is configured (partners.md#auth-2)', () => {
    beforeAll(async () => {
      expectStatus(await open().shop.admin.delete('/settings/b2b-token'), 204)
    })
    afterAll(() => open().reissue())
    // rules.md#order-of-work
    it('500 for every request, with any token', async () => {
      await everywhere({}, UNCONFIGURED)
      for (const token of [open().token, 'null', 'undefined', 'x'])
        expect(
          said(
            await open()
              .b2b.as({ authorization: `Bearer ${token}` })
              .post('/get-brands', {}),
          ),
        ).toEqual(UNCONFIGURED)
    })
  })

  describe('check 3: the token (partners.md#auth-3)', () => {
    // rules.md#order-of-work
    it('401 for every request without a token, before 404, 405, 415 and the body', () => everywhere({}, WRONG))
    it.each<[string, (token: string) => string]>([
      ['another', () => 'x'.repeat(43)],
      ['a prefix', (token) => token.slice(0, -1)],
      ['one character more', (token) => `${token}a`],
      ['in quotes', (token) => `"${token}"`],
      ['with another behind it', (token) => `${token} x`],
      ['twice with a comma', (token) => `${token},${token}`],
      ['10,000 characters', () => 'a'.repeat(10_000)],
      [
        'the letters in another case',
        (token) =>
          token.replace(/[a-z]/i, (letter) =>
            letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
          ),
      ],
      ["the ERP's", () => open().shop.erpToken],
      ["the administrator's", () => open().shop.product.adminToken],
      ['none behind the word', () => ''],
    ])('401 with %s', async (_what, other) => {
      expect(
        said(
          await open()
            .b2b.as({ authorization: `Bearer ${other(open().token)}` })
            .post('/get-pick-up-points'),
        ),
      ).toEqual(WRONG)
    })
    it.each(['Basic ', 'Token ', 'BearerX ', ''])('401 with the scheme %j', async (scheme) => {
      expect(
        said(
          await open()
            .b2b.as({ authorization: `${scheme}${open().token}` })
            .post('/get-pick-up-points'),
        ),
      ).toEqual(WRONG)
    })
    it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme in any case: %s', async (scheme) => {
      expect(
        (
          await open()
            .b2b.as({ authorization: `${scheme} ${open().token}` })
            .post('/get-pick-up-points')
        ).status,
      ).toBe(200)
    })
    it('401 with two headers, even two valid ones; the header name is case-insensitive', async () => {
      const right = `Bearer ${open().token}`
      expect(
        said(
          await stranger().send('POST', '/get-pick-up-points', {
            headers: [
              ['authorization', right],
              ['authorization', right],
            ],
          }),
        ),
      ).toEqual(WRONG)
      expect(
        (await stranger().send('POST', '/get-pick-up-points', { headers: [['AUTHORIZATION', right]] })).status,
      ).toBe(200)
    })
    it('401 with the token anywhere else', async () => {
      const { token } = open()
      expect(
        said(
          await stranger().post(
            `/get-brands?token=${token}&access_token=${token}`,
            { token, tech_key: token, article: 'x' },
            { cookie: `token=${token}`, 'x-api-key': token },
          ),
        ),
      ).toEqual(WRONG)
    })
  })

  describe('the life cycle of a token', () => {
    afterAll(() => open().reissue())
    const settings = async () => (await open().shop.admin.get<SettingsView>('/settings')).body
    const works = async (token: string) =>
      (
        await open()
          .b2b.as({ authorization: `Bearer ${token}` })
          .post('/get-pick-up-points')
      ).status
    // admin.md#settings-b2b-token
    it('enabling the API without a token issues one, shown once (partners.md#auth-4)', async () => {
      const { admin } = open().shop
      await open().shop.set({ b2b_enabled: false })
      await admin.delete('/settings/b2b-token')
      const issued = (await admin.patch<SettingsView>('/settings', { b2b_enabled: true })).body.b2b_token
      const token = issued?.token ?? ''
      expect(issued).toEqual({
        token: expect.stringMatching(/^[\w-]{43}$/),
        last4: token.slice(-4),
        issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      })
      expect(await works(token)).toBe(200)
      expect(await settings()).toMatchObject({ b2b_token: { last4: token.slice(-4), issued_at: issued?.issued_at } })
      expect(JSON.stringify([await settings(), (await admin.get('/audit?per_page=500')).body])).not.toContain(token)
      expect((await admin.patch<SettingsView>('/settings', { b2b_enabled: true })).body.b2b_token).not.toHaveProperty(
        'token',
      )
      expect(await works(token)).toBe(200)
    })
    it('any change of settings issues a token if the API is enabled without one', async () => {
      for (const change of [{}, { admin_locale: 'en' }]) {
        await open().shop.admin.delete('/settings/b2b-token')
        const { b2b_token } = (await open().shop.admin.patch<SettingsView>('/settings', change)).body
        expect(await works(b2b_token?.token ?? '')).toBe(200)
      }
    })
    it('the token stays when the API is disabled and enabled again', async () => {
      await open().reissue()
      await open().shop.set({ b2b_enabled: false })
      expect(
        (await open().shop.admin.patch<SettingsView>('/settings', { b2b_enabled: true })).body.b2b_token,
      ).not.toHaveProperty('token')
      expect(await works(open().token)).toBe(200)
    })
    it('re-issuing invalidates the old token; after revoking, no token is valid', async () => {
      const { token } = open()
      await open().reissue()
      expect([await works(token), await works(open().token)]).toEqual([401, 200])
      await open().shop.admin.delete('/settings/b2b-token')
      expect([await works(open().token), (await settings()).b2b_token]).toEqual([500, null])
    })
  })

  it('404 for an unknown path, 405 with Allow for another method', async () => {
    for (const path of [
      '',
      '/',
      '/nowhere',
      '/get-brands/',
      '/GET-BRANDS',
      '/get-brands/1',
      '//get-brands',
      '/pick-up-points',
      '/%zz',
      '/%00',
    ]) {
      for (const method of methods)
        expect([path, said(await open().b2b.send(method, path))]).toEqual([path, refusal(404, 'Not found.')])
    }
    for (const path of paths) {
      for (const method of methods.filter((each) => each !== 'POST')) {
        const answer = await open().b2b.send(method, path)
        expect([path, said(answer), answer.headers.allow]).toEqual([path, refusal(405, 'Method not allowed.'), 'POST'])
      }
      expect((await open().b2b.send('HEAD', path)).status).toBe(405)
    }
  })

  // rules.md#order-of-work
  it('429 with Retry-After above the rate limit: after the token, before 404, 405 and the body', async () => {
    await open().shop.set({ b2b_rate_limit: 1 })
    try {
      await open().post('/nowhere')
      for (const [path, body] of [
        ['/nowhere', undefined],
        ['/get-brands', '{oops'],
        ['/upload-price-list', 'x'],
      ] as const) {
        const answer = await open().post(path, body)
        expect(said(answer)).toEqual(refusal(429, 'Too many requests.'))
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      }
      expect(said(await stranger().post('/get-brands'))).toEqual(WRONG)
    } finally {
      await open().shop.set({ b2b_rate_limit: null })
    }
    expect((await open().post('/get-pick-up-points')).status).toBe(200)
  })

  it.each(['/get-brands', '/upload-price-list'])('a request rejected on %s gets no 100 Continue', async (path) => {
    const head = (more: string) =>
      `POST /api/b2b${path} HTTP/1.1\r\nHost: x\r\n` +
      `Content-Type: ${path === '/get-brands' ? 'application/json' : FORM_TYPE}\r\n` +
      `Content-Length: 1000000\r\nExpect: 100-continue\r\n${more}\r\n`
    const port = Number(new URL(open().shop.product.url).port)
    const refused = await converse(port, head(''), () => undefined, 5_000)
    expect([
      refused.text.slice(0, 12),
      refused.text.includes('100 Continue'),
      refused.endedAfterMs !== undefined,
    ]).toEqual(['HTTP/1.1 401', false, true])
    const admitted = await converse(port, head(`Authorization: Bearer ${open().token}\r\n`), () => undefined, 500)
    expect(admitted.text).toMatch(/^HTTP\/1\.1 100 Continue/)
  })

  it('every answer carries x-request-id, and JSON', async () => {
    for (const path of anywhere.slice(0, 8)) {
      const answer = await open().b2b.send<PartnerBody>('POST', path, { headers: { 'x-request-id': 'order-7_a.b' } })
      expect([answer.headers['x-request-id'], answer.headers['content-type']]).toEqual([
        'order-7_a.b',
        'application/json; charset=utf-8',
      ])
      expect((await stranger().post(path, undefined, { 'x-request-id': 'a b' })).headers['x-request-id']).toMatch(
        /^[0-9a-f-]{36}$/,
      )
    }
  })
})
