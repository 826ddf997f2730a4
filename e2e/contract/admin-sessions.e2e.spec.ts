import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ApiClient, type ApiResponse } from '../testing/api-client.js'
import { useShop } from '../testing/contract-product.js'
import { expectStatus } from '../testing/shop.js'

interface Invited {
  id: number
  invitation: { token: string; expires_at: string }
}

const PASSWORD = 'correct horse battery'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

const open = useShop()
const agents: Agent[] = []
let people = 0

/** A browser at an address of its own: failures are counted by address. */
class Browser {
  private readonly api: ApiClient
  private cookie = ''

  constructor() {
    people += 1
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.4.${people}` } as object)
    agents.push(agent)
    this.api = new ApiClient(`${open().product.url}/api/admin`, {}, agent)
  }

  async send<Body = { message: string }>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = SAME_ORIGIN,
  ): Promise<ApiResponse<Body>> {
    const cookie = this.cookie === '' ? undefined : { cookie: this.cookie }
    const answer = await this.api.send<Body>(method, path, { body, headers: { ...cookie, ...headers } })
    const [sent] = [answer.headers['set-cookie'] ?? []].flat()
    if (sent !== undefined) this.cookie = sent.split(';')[0] ?? ''
    return answer
  }
}

async function join(name: string, role: string): Promise<{ id: number; browser: Browser }> {
  const { body } = await open().admin.post<Invited>('/administrators', { name, role })
  const browser = new Browser()
  const { token } = body.invitation
  expect((await browser.send('POST', '/invitation', { token, password: PASSWORD })).status).toBe(200)
  return { id: body.id, browser }
}

const signIn = (name: string, password: string, browser = new Browser()) =>
  browser.send('POST', '/session', { name, password })

let owner: Awaited<ReturnType<typeof join>>
beforeAll(async () => {
  owner = await join('contract.owner', 'owner')
})
afterAll(async () => {
  const { data } = (
    await open().admin.get<{ data: Array<{ id: number; name: string; role: string }> }>('/administrators?per_page=500')
  ).body
  const mine = data.filter(({ name, role }) => name.startsWith('contract.') && role !== 'owner')
  for (const { id } of mine) await open().admin.delete(`/administrators/${id}`)
  for (const agent of agents) agent.destroy()
})

describe('signing in', () => {
  // admin.md#sign-in, admin.md#session-cookie
  it('opens a session for the owner of the cookie', async () => {
    const browser = new Browser()
    const { status, headers, body } = await signIn('Contract.Owner', PASSWORD, browser)
    expect([status, body]).toMatchObject([
      200,
      { administrator: { id: owner.id, name: 'contract.owner', role: 'owner' } },
    ])
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^partsbus=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect((await browser.send('GET', '/session')).body).toEqual(body)
    expect((await browser.send('GET', '/settings')).status).toBe(200)
  })

  it('answers the same to an unknown name and to a wrong password', async () => {
    for (const name of ['contract.owner', 'contract.nobody']) {
      const { status, body } = await signIn(name, 'a wrong password')
      expect([status, body]).toEqual([401, { message: 'The name or the password is wrong.' }])
    }
  })

  // admin.md#throttling
  it('waits 30 s after 5 wrong passwords, and refuses the right one meanwhile', async () => {
    const browser = new Browser()
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn('contract.owner', 'a wrong password', browser)).status).toBe(401)
    }
    for (const password of ['a wrong password', PASSWORD]) {
      const { status, body, headers } = await signIn('contract.owner', password, browser)
      expect([status, body]).toEqual([429, { message: 'Too many requests.' }])
      expect(Number(headers['retry-after'])).toBeGreaterThan(20)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30)
    }
    expect((await signIn('contract.owner', PASSWORD)).status).toBe(200)
  })
})

describe('requests of other sites', () => {
  // admin.md#cross-site
  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['without an origin', {}],
  ])('a change by a cookie %s is refused, and nothing changes', async (_what, headers) => {
    const refused = { message: 'Cross-site requests are not allowed.' }
    const { browser } = owner
    const before = (await open().admin.get('/settings')).body
    for (const [method, path] of [
      ['POST', '/settings/erp-token'],
      ['DELETE', '/settings/erp-token'],
      ['POST', '/nowhere'],
      ['POST', '/session'],
      ['POST', '/invitation'],
    ] as const) {
      const { status, body } = await browser.send(method, path, undefined, headers)
      expect([path, status, body]).toEqual([path, 403, refused])
    }
    expect((await open().admin.get('/settings')).body).toEqual(before)
    expect((await browser.send('GET', '/settings', undefined, headers)).status).toBe(200)
  })

  it('the origin of the gateway may change something', async () => {
    const { browser } = owner
    const origin = new URL(open().product.url).origin
    expect((await browser.send('PATCH', '/session', { theme: 'dark' }, { origin })).status).toBe(200)
  })
})

describe('people', () => {
  // admin.md#invitations
  it('an invitation is for one use', async () => {
    const { body } = await open().admin.post<Invited>('/administrators', { name: 'contract.once', role: 'viewer' })
    expect(Date.parse(body.invitation.expires_at) - Date.now()).toBeGreaterThan(71 * 3_600_000)
    const accepted = { token: body.invitation.token, password: PASSWORD }
    expect((await new Browser().send('POST', '/invitation', accepted)).status).toBe(200)
    const again = await new Browser().send('POST', '/invitation', accepted)
    expect([again.status, again.body]).toEqual([404, { message: 'The invitation is no longer valid.' }])
  })

  // admin.md#last-owner
  it('the last active owner stays', async () => {
    // other spec files leave owners behind
    const all = await open().admin.get<{ data: { id: number; role: string }[] }>('/administrators?per_page=500')
    for (const { id } of all.body.data.filter((other) => other.role === 'owner' && other.id !== owner.id))
      expectStatus(await open().admin.patch(`/administrators/${id}`, { role: 'viewer' }), 200)
    for (const change of [{ role: 'viewer' }, { is_active: false }]) {
      expect((await open().admin.patch(`/administrators/${owner.id}`, change)).status).toBe(409)
    }
    expect((await open().admin.delete(`/administrators/${owner.id}`)).status).toBe(409)
    expect((await owner.browser.send('GET', '/session')).status).toBe(200)
  })

  // admin.md#revocation
  it('a session that was ended is refused by the next request', async () => {
    const { id, browser } = await join('contract.ended', 'manager')
    expect((await browser.send('GET', '/session')).status).toBe(200)
    expect((await open().admin.delete(`/administrators/${id}/sessions`)).status).toBe(204)
    const { status, body } = await browser.send('GET', '/session')
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }])
  })

  // admin.md#own-account
  it('a new password ends the other sessions', async () => {
    const { browser } = await join('contract.password', 'manager')
    const other = new Browser()
    await signIn('contract.password', PASSWORD, other)
    const password = { current: PASSWORD, next: 'a new and long password' }
    expect((await browser.send('PATCH', '/session', { password })).status).toBe(200)
    expect((await other.send('GET', '/session')).status).toBe(401)
    expect((await browser.send('GET', '/session')).status).toBe(200)
  })

  // admin.md#audit
  it('are named in the audit log', async () => {
    const { id, browser } = await join('contract.audited', 'manager')
    await browser.send('PATCH', '/session', { theme: 'light' })
    const { body } = await open().admin.get<{ data: object[] }>('/audit?actor=contract.audited&action=administrator.')
    expect(body.data).toMatchObject([
      {
        actor_id: id,
        action: 'administrator.patch',
        entity: 'administrator',
        entity_id: id,
        details: { theme: 'light' },
      },
      { actor_id: id, action: 'administrator.join', entity_id: id },
    ])
  })
})
