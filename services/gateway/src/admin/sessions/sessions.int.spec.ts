import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { cpuMs } from '@partsbus/test-kit/durations'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { administer, openRealStage } from '../../testing/gateway-stage.js'

const TOKEN = 'admin-token-of-the-specs'
const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let people = 0
/** Failures are counted by address. */
let from: string

beforeAll(async () => {
  stage = await openRealStage('sessions')
  port = (await stage.startGateway({ TRUSTED_PROXIES: '127.0.9.9' })).port
})
afterAll(() => stage?.close())
beforeEach(() => {
  people += 1
  from = `127.0.2.${people}`
})

/** Invites somebody of this name, who sets a password. */
async function join(name: string, role = 'manager'): Promise<{ id: number; browser: AdminBrowser }> {
  const { body } = await administer(port, 'POST', '/administrators', { name, role })
  const { token } = body.invitation as { token: string }
  const browser = new AdminBrowser(port, from)
  expect(await browser.send('POST', '/invitation', { token, password: PASSWORD })).toMatchObject({ status: 200 })
  return { id: body.id as number, browser }
}

async function signIn(name: string, password = PASSWORD, browser = new AdminBrowser(port, from)) {
  const answer = await browser.send('POST', '/session', { name, password })
  return { browser, ...answer }
}

/** Behind a proxy that names the client. */
const attempt = (name: string, client: string, password = 'a wrong password') =>
  new AdminBrowser(port, '127.0.9.9').send(
    'POST',
    '/session',
    { name, password },
    {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': client,
    },
  )

describe('how people sign in (admin.md#sign-in-first)', () => {
  it('is known without a credential: nobody has a password until the first invitation is accepted', async () => {
    const look = async () => (await new AdminBrowser(port, from).send('GET', '/sign-in')).body
    expect(await look()).toEqual({ has_accounts: false })
    expect((await administer(port, 'POST', '/administrators', { name: 'invited', role: 'owner' })).status).toBe(201)
    expect(await look()).toEqual({ has_accounts: false })
    const { id } = await join('first')
    expect(await look()).toEqual({ has_accounts: true })
    await administer(port, 'PATCH', `/administrators/${id}`, { is_active: false })
    expect(await look()).toEqual({ has_accounts: false })
  })

  it('is not told to pages of other sites', async () => {
    const browser = new AdminBrowser(port, from)
    expect(await browser.send('GET', '/sign-in', undefined, { 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 403,
      body: { message: 'Cross-site requests are not allowed.' },
    })
  })
})

describe('signing in (admin.md#sign-in)', () => {
  it('opens a session by ADMIN_TOKEN, with the role of an owner', async () => {
    const browser = new AdminBrowser(port, from)
    const { status, body, headers } = await browser.send('POST', '/session', { token: TOKEN })
    expect([status, body]).toEqual([
      200,
      {
        administrator: {
          id: null,
          name: 'admin',
          display_name: 'admin',
          role: 'owner',
          locale: 'en',
          time_zone: null,
          theme: 'auto',
        },
        started_at: expect.any(String),
        expires_at: expect.any(String),
        address: from,
      },
    ])
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^partsbus=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect((await browser.send('GET', '/session')).body).toEqual(body)
    expect(await browser.status('/settings')).toBe(200)
  })

  it('opens a session by name and password, whatever the case of the name is', async () => {
    await join('Anna.One')
    const { browser, status, body } = await signIn('anna.one')
    expect([status, body.administrator]).toEqual([200, expect.objectContaining({ name: 'Anna.One', role: 'manager' })])
    expect(await browser.status()).toBe(200)
  })

  it('keeps the cookie when the browser is closed, if it is to be remembered', async () => {
    const browser = new AdminBrowser(port, from)
    const { headers } = await browser.send('POST', '/session', { token: TOKEN, remember: true })
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/; Max-Age=604800$/)])
  })

  it('gives a new id, and ends the session before it', async () => {
    const { browser } = await join('anna.renewed')
    const before = browser.at(port)
    await signIn('anna.renewed', PASSWORD, browser)
    expect(browser.cookie).not.toBe(before.cookie)
    expect([await browser.status(), await before.status()]).toEqual([200, 401])
  })

  it.each<[string, { name?: string; password?: string; token?: string }]>([
    ['an unknown name', { name: 'nobody.here', password: PASSWORD }],
    ['a wrong password', { name: 'anna.wrong', password: 'correct horse batterx' }],
    ['a wrong token', { token: 'admin-token-of-the-spec' }],
  ])('answers the same to %s', async (_what, body) => {
    if (body.name === 'anna.wrong') await join('anna.wrong')
    const { status, body: answer, headers } = await new AdminBrowser(port, from).send('POST', '/session', body)
    expect([status, answer]).toEqual([401, { message: 'The name or the password is wrong.' }])
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('answers the same to one who is switched off', async () => {
    const { id } = await join('anna.off')
    await administer(port, 'PATCH', `/administrators/${id}`, { is_active: false })
    expect(await signIn('anna.off')).toMatchObject({
      status: 401,
      body: { message: 'The name or the password is wrong.' },
    })
  })

  it('works about as long on an unknown name', async () => {
    await join('anna.slow')
    const known = await cpuMs(() => signIn('anna.slow', 'a wrong password'))
    const unknown = await cpuMs(() => signIn('nobody.slow', 'a wrong password'))
    expect(unknown).toBeGreaterThan(known / 3)
  })

  it.each([
    [{}, ['name', 'password']],
    [{ name: 'anna' }, ['password']],
    [{ name: 'anna', password: PASSWORD, remember: 'yes' }, ['remember']],
    [{ token: TOKEN, extra: 1 }, ['extra']],
  ])('422: %j', async (body, paths) => {
    const answer = await new AdminBrowser(port, from).send('POST', '/session', body)
    expect([answer.status, Object.keys(answer.body.errors as object).toSorted()]).toEqual([422, paths])
  })
})

describe('guesses of a password (admin.md#throttling)', () => {
  it('that come at once from one /64 pass no limit together', async () => {
    await join('pavel.guessed')
    const guess = (at: number) => attempt('pavel.guessed', `2001:db8:1:${people}::${at + 1}`)
    for (let at = 0; at < 4; at += 1) expect((await guess(at)).status).toBe(401)
    const statuses = (await Promise.all([4, 5, 6, 7, 8].map(guess))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([401, 429, 429, 429, 429])
  })

  it('from an address that the person signs in from again and again do not wait for others', async () => {
    await join('pavel.travels')
    const home = '198.51.100.1'
    const signInFrom = async (client: string) => (await attempt('pavel.travels', client, PASSWORD)).status
    expect(await signInFrom(home)).toBe(200)
    for (let at = 1; at <= 9; at += 1) expect(await signInFrom(`198.51.100.${at + 1}`)).toBe(200)
    // the newest of the known ones again, although it was the first of them
    expect(await signInFrom(home)).toBe(200)
    expect(await signInFrom('198.51.100.20')).toBe(200)
    for (let at = 1; at <= 20; at += 1) expect((await attempt('pavel.travels', `203.0.113.${at}`)).status).toBe(401)
    expect([await signInFrom(home), await signInFrom(home)]).toEqual([200, 200])
  })
})

describe('requests of other sites (admin.md#cross-site)', () => {
  const host = 'localhost:8080'
  const forged: Array<[string, Record<string, string>]> = [
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['that the user typed', { 'sec-fetch-site': 'none' }],
    ['of another origin', { host, origin: 'https://evil.example' }],
    ['of another port', { host, origin: 'http://localhost:8081' }],
    ['of another scheme', { host, origin: 'https://localhost:8080' }],
    ['without an origin', { host }],
    ['with the origin null', { host, origin: 'null' }],
    ['of another site, whatever the origin is', { host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
  ]

  it.each(forged)('a change by a cookie %s is refused, before 404 and 405', async (_what, headers) => {
    const browser = new AdminBrowser(port, from)
    await browser.send('POST', '/session', { token: TOKEN })
    for (const path of ['/settings/erp-token', '/nowhere', '/audit']) {
      const { status, body } = await browser.send('POST', path, undefined, headers)
      expect([path, status, body]).toEqual([path, 403, { message: 'Cross-site requests are not allowed.' }])
    }
    expect((await browser.send('GET', '/settings')).body.erp_token).toBeNull()
    expect((await browser.send('GET', '/settings', undefined, headers)).status).toBe(200)
  })

  it.each(forged)('a sign-in %s is refused', async (_what, headers) => {
    const browser = new AdminBrowser(port, from)
    for (const [path, body] of [
      ['/session', { token: TOKEN }],
      ['/invitation', { token: 'x', password: PASSWORD }],
    ] as const) {
      expect(await browser.send('POST', path, body, headers)).toMatchObject({
        status: 403,
        body: { message: 'Cross-site requests are not allowed.' },
      })
    }
  })

  it('are accepted by the origin of the gateway where the browser sends no Sec-Fetch-Site', async () => {
    const headers = { host, origin: `http://${host}` }
    const browser = new AdminBrowser(port, from)
    expect((await browser.send('POST', '/session', { token: TOKEN }, headers)).status).toBe(200)
    expect((await browser.send('PATCH', '/settings', { media_wait_ms: 4_000 }, headers)).status).toBe(200)
  })

  it('401 comes before 403', async () => {
    const forgedHeaders = { 'sec-fetch-site': 'cross-site' }
    expect((await new AdminBrowser(port, from).send('PATCH', '/settings', {}, forgedHeaders)).status).toBe(401)
  })
})

describe('the connection of a sign-in (admin.md#session-cookie)', () => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }
  const body = { token: TOKEN }

  it('is refused over plain HTTP on a host that is not a loopback host', async () => {
    const headers = { ...sameOrigin, host: 'parts.example.org' }
    const { status, body: answer } = await new AdminBrowser(port, from).send('POST', '/session', body, headers)
    expect(status).toBe(403)
    for (const cure of ['COMPOSE_PROFILES=edge', 'TRUSTED_PROXIES', 'ADMIN_PLAIN_HTTP=on'])
      expect(answer.message).toContain(cure)
  })

  it('is accepted there with ADMIN_PLAIN_HTTP=on', async () => {
    const gateway = await stage.startGateway({ ADMIN_PLAIN_HTTP: 'on' })
    const headers = { ...sameOrigin, host: 'parts.example.org' }
    const browser = new AdminBrowser(gateway.port, from)
    expect((await browser.send('POST', '/session', body, headers)).status).toBe(200)
    await gateway.stop()
  })

  it('behind a proxy that terminates TLS has a cookie for HTTPS only', async () => {
    const headers = { ...sameOrigin, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'parts.example.org' }
    const browser = new AdminBrowser(port, '127.0.9.9')
    const { status, headers: answered } = await browser.send('POST', '/session', body, headers)
    expect([status, answered['set-cookie']]).toEqual([
      200,
      [expect.stringMatching(/^__Host-partsbus=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)],
    ])
    expect((await browser.send('GET', '/session', undefined, headers)).status).toBe(200)
    expect((await browser.send('GET', '/session')).status).toBe(401)
  })
})

describe('the end of a session (admin.md#sessions, admin.md#session-get)', () => {
  const sessions = () =>
    stage.db.collection<{ _id: string; seen_at: Date; started_at: Date; ends_at: Date }>('sessions')
  const idOf = async (browser: AdminBrowser): Promise<string> => {
    const { body } = await browser.send('GET', '/sessions')
    return (body as unknown as Array<{ id: string; is_current: boolean }>).find((one) => one.is_current)?.id ?? ''
  }
  /** A second later no gateway serves by what it read before. */
  const eventually = async (browser: AdminBrowser, status: number): Promise<void> => {
    const deadline = performance.now() + 10_000
    while ((await browser.status()) !== status && performance.now() < deadline);
    expect(await browser.status()).toBe(status)
  }

  it('is a sign-out, which clears the cookie and what the browser cached', async () => {
    const { browser } = await join('anna.out')
    const before = browser.at(port)
    const { status, headers } = await browser.send('DELETE', '/session')
    expect([status, headers['clear-site-data'], headers['set-cookie']]).toEqual([
      204,
      '"cache"',
      ['partsbus=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'],
    ])
    expect(await before.status()).toBe(401)
  })

  it('is 12 hours without a request, and 7 days after the sign-in', async () => {
    const { browser } = await join('anna.idle')
    const stored = await sessions().findOne({ _id: await idOf(browser) })
    const lifetime = (stored?.ends_at.getTime() ?? 0) - (stored?.seen_at.getTime() ?? 0)
    expect(lifetime).toBe(12 * HOUR_MS)
    const seen = new Date(Date.now() - 2 * 60_000)
    const started = new Date(Date.now() - 7 * 24 * HOUR_MS + 5 * 60_000)
    await sessions().updateOne({ _id: stored?._id ?? '' }, { $set: { seen_at: seen, started_at: started } })
    const deadline = performance.now() + 10_000
    let now = await sessions().findOne({ _id: stored?._id ?? '' })
    while (now && now.seen_at <= seen && performance.now() < deadline) {
      await browser.status()
      now = await sessions().findOne({ _id: now._id })
    }
    expect(now?.ends_at).toEqual(new Date(started.getTime() + 7 * 24 * HOUR_MS))
    await sessions().updateOne({ _id: now?._id ?? '' }, { $set: { ends_at: new Date() } })
    await eventually(browser, 401)
  })

  it('lists the own sessions only, and ends one of them', async () => {
    const { browser } = await join('anna.list')
    const { browser: stranger } = await join('pavel.list')
    const { browser: second } = await signIn('anna.list')
    const { body } = await browser.send('GET', '/sessions', undefined, { 'user-agent': 'x' })
    expect(body).toHaveLength(2)
    expect((body as unknown as object[]).map((one) => Object.keys(one))).toEqual([
      ['id', 'started_at', 'seen_at', 'address', 'agent', 'is_current'],
      ['id', 'started_at', 'seen_at', 'address', 'agent', 'is_current'],
    ])
    const id = await idOf(second)
    expect((await stranger.send('DELETE', `/sessions/${id}`)).status).toBe(404)
    expect((await browser.send('DELETE', `/sessions/${id}`)).status).toBe(204)
    expect([await browser.status(), await second.status()]).toEqual([200, 401])
  })

  it('ends all others, but not the own one', async () => {
    const { browser } = await join('anna.others')
    const { browser: second } = await signIn('anna.others')
    expect((await browser.send('DELETE', '/sessions')).status).toBe(204)
    expect([await browser.status(), await second.status()]).toEqual([200, 401])
  })

  it('a session of ADMIN_TOKEN ends with the token', async () => {
    const browser = new AdminBrowser(port, from)
    await browser.send('POST', '/session', { token: TOKEN })
    const gateway = await stage.startGateway({ ADMIN_TOKEN: 'another-token-of-the-specs' })
    expect([await browser.status(), await browser.at(gateway.port).status()]).toEqual([200, 401])
    await gateway.stop()
  })

  it('the database contains neither cookies nor passwords', async () => {
    const { browser } = await join('anna.stored')
    const stored = JSON.stringify(
      await Promise.all((await stage.db.collections()).map((collection) => collection.find().toArray())),
    )
    expect(stored).toContain('anna.stored')
    expect(stored).not.toContain(browser.cookie?.split('=')[1])
    expect(stored).not.toContain(PASSWORD)
  })
})

describe('the own account (admin.md#own-account)', () => {
  it('changes name, language and appearance', async () => {
    const { browser } = await join('anna.account')
    const patch = { display_name: 'Анна', locale: 'ru', time_zone: 'Asia/Yekaterinburg', theme: 'dark' }
    const { status, body } = await browser.send('PATCH', '/session', patch)
    expect([status, body.administrator]).toEqual([200, expect.objectContaining(patch)])
    expect((await browser.send('GET', '/session')).body.administrator).toMatchObject(patch)
  })

  it.each([
    [{ time_zone: 'Nowhere/City' }, 'time_zone'],
    [{ locale: 'de' }, 'locale'],
    [{ role: 'owner' }, 'role'],
    [{ password: { current: PASSWORD, next: 'too short' } }, 'password.next'],
    [{ password: { current: 'wrong', next: 'a new and long password' } }, 'password.current'],
  ])('422: %j', async (patch, path) => {
    const { browser } = await join(`anna.invalid${people}`)
    const { status, body } = await browser.send('PATCH', '/session', patch)
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [path]])
  })

  it('a new password ends all other sessions', async () => {
    const { browser } = await join('anna.password')
    const { browser: second } = await signIn('anna.password')
    const next = 'a new and long password'
    expect((await browser.send('PATCH', '/session', { password: { current: PASSWORD, next } })).status).toBe(200)
    expect([await browser.status(), await second.status()]).toEqual([200, 401])
    expect([(await signIn('anna.password')).status, (await signIn('anna.password', next)).status]).toEqual([401, 200])
  })

  it('is 409 for the session of ADMIN_TOKEN', async () => {
    const browser = new AdminBrowser(port, from)
    await browser.send('POST', '/session', { token: TOKEN })
    expect((await browser.send('PATCH', '/session', { theme: 'dark' })).status).toBe(409)
  })

  it('a bearer token has no session', async () => {
    const { status, body } = await administer(port, 'GET', '/session')
    expect([status, body]).toEqual([200, expect.objectContaining({ started_at: null, expires_at: null })])
    expect((await administer(port, 'DELETE', '/session')).status).toBe(204)
  })
})

describe('the audit log of sessions (admin.md#audit)', () => {
  const entries = async (query: string) => (await administer(port, 'GET', `/audit?${query}`)).body.data

  it('names who signed in and out, and from where', async () => {
    const { id, browser } = await join('anna.audited')
    await browser.send('DELETE', '/session')
    const found = await entries('actor=anna.audited')
    expect(found).toMatchObject([
      { action: 'session.close', actor: 'anna.audited', actor_id: id, entity: 'session', address: from },
      { action: 'session.open', actor_id: id, entity: 'session', entity_id: expect.any(String), address: from },
      { action: 'administrator.join', actor_id: id, entity: 'administrator', entity_id: id },
    ])
  })

  it('has one refusal a minute for each address', async () => {
    for (let count = 0; count < 3; count += 1) await signIn('nobody.audited', 'wrong')
    const refused = (await entries('action=session.refused&per_page=500')) as Array<{ address: string; actor: string }>
    expect(refused.filter(({ address }) => address === from)).toMatchObject([{ actor: 'anonymous', details: {} }])
  })

  it('never has a password', async () => {
    const { id, browser } = await join('anna.secret')
    const next = 'a new and long password'
    await browser.send('PATCH', '/session', { password: { current: PASSWORD, next } })
    const found = JSON.stringify(await entries(`entity=administrator&entity_id=${id}`))
    expect(found).toContain('administrator.patch')
    expect(found).not.toContain(next)
    expect(found).not.toContain(PASSWORD)
  })
})

// last: its refusals fill the share of the audit log that names of nobody have
describe('guesses from very many networks (admin.md#throttling)', () => {
  it('keep nobody out where they have signed in from before', async () => {
    await join('pavel.flooded')
    let isOver = false
    let guesses = 0
    const strangers = Array.from({ length: 25 }, async () => {
      while (!isOver) await attempt('nobody', `2001:db8:2:${(guesses += 1).toString(16)}::1`)
    })
    expect(await waitUntil(() => guesses > 30, { withinMs: 20_000 })).toBe(true)
    const statuses: number[] = []
    for (let count = 0; count < 2; count += 1) statuses.push((await signIn('pavel.flooded')).status)
    isOver = true
    await Promise.all(strangers)
    expect(statuses).toEqual([200, 200])
  })
})
