import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { administer, openRealStage } from '../../testing/gateway-stage.js'

const PASSWORD = 'correct horse battery'

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number

beforeAll(async () => {
  stage = await openRealStage('administrators')
  port = (await stage.startGateway()).port
})
afterAll(() => stage?.close())

const send = (method: string, path: string, body?: unknown) => administer(port, method, `/administrators${path}`, body)
const create = async (name: string, role = 'manager', rest: object = {}): Promise<number> =>
  (await send('POST', '', { name, role, ...rest })).body.id as number
const invite = async (id: number): Promise<string> => (await send('POST', `/${id}/invitation`)).body.token as string
const accept = (token: string, password = PASSWORD, browser = new AdminBrowser(port)) =>
  browser.send('POST', '/invitation', { token, password })

describe('administrators (admin.md#administrators)', () => {
  it('are created with an invitation, which is shown once', async () => {
    const { status, body } = await send('POST', '', { name: 'Anna', role: 'manager' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Anna',
        display_name: 'Anna',
        role: 'manager',
        is_active: true,
        has_password: false,
        last_seen_at: null,
        sessions: 0,
        created_at: expect.any(String),
        invitation: { token: expect.stringMatching(/^[\w-]{43}$/), expires_at: expect.any(String) },
      },
    ])
    const { invitation, ...shown } = body
    const { expires_at } = invitation as { expires_at: string }
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 72 * 3_600_000)).toBeLessThan(60_000)
    expect((await send('GET', `/${shown.id}`)).body).toEqual(shown)
    expect((await send('GET', '?per_page=500')).body.data).toContainEqual(shown)
  })

  it.each([
    [{}, ['name', 'role']],
    [{ name: 'ab', role: 'owner' }, ['name']],
    [{ name: 'x'.repeat(65), role: 'owner' }, ['name']],
    [{ name: 'anna.boss', role: 'boss' }, ['role']],
    [{ name: 'anna.extra', role: 'owner', password: PASSWORD }, ['password']],
    [{ name: 'ANNA', role: 'owner' }, ['name']],
    [{ name: 'Admin', role: 'owner' }, ['name']],
    [{ name: '\u0430dmin', role: 'owner', display_name: 'ad\u200bmin' }, ['name', 'display_name']],
  ])('422: %j', async (body, paths) => {
    const answer = await send('POST', '', body)
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, paths])
  })

  it('keep their name', async () => {
    const id = await create('anna.kept')
    expect((await send('PATCH', `/${id}`, { name: 'anna.kept', display_name: 'Анна' })).body).toMatchObject({
      name: 'anna.kept',
      display_name: 'Анна',
    })
    expect((await send('PATCH', `/${id}`, { name: 'anna.other' })).body).toMatchObject({
      errors: { name: ['The name cannot be changed.'] },
    })
  })

  it('keep what a change does not name, also when it is changed at the same time', async () => {
    const id = await create('anna.two')
    for (let round = 0; round < 20; round++) {
      const display_name = `Anna ${round}`
      const is_active = round % 2 === 1
      const answers = await Promise.all([
        send('PATCH', `/${id}`, { is_active }),
        send('PATCH', `/${id}`, { display_name }),
        send('PATCH', `/${id}`, {}),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await send('GET', `/${id}`)).body).toMatchObject({ display_name, is_active, role: 'manager' })
    }
  })

  it('are deleted with their sessions', async () => {
    const id = await create('anna.deleted')
    const browser = new AdminBrowser(port)
    await accept(await invite(id), PASSWORD, browser)
    expect((await send('GET', `/${id}`)).body).toMatchObject({
      has_password: true,
      sessions: 1,
      last_seen_at: expect.any(String),
    })
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
    expect([await browser.status(), (await send('GET', `/${id}`)).status]).toEqual([401, 404])
    expect((await send('POST', '', { name: 'anna.deleted', role: 'viewer' })).status).toBe(201)
  })

  it('lose their sessions, but not their password', async () => {
    const id = await create('anna.signed-out')
    const browser = new AdminBrowser(port)
    await accept(await invite(id), PASSWORD, browser)
    expect((await send('DELETE', `/${id}/sessions`)).status).toBe(204)
    expect(await browser.status()).toBe(401)
    expect((await browser.send('POST', '/session', { name: 'anna.signed-out', password: PASSWORD })).status).toBe(200)
  })

  it('are changed and deleted only as they were read (admin.md#revisions)', async () => {
    const id = await create('anna.revised')
    const owner = new AdminBrowser(port)
    await owner.send('POST', '/session', { token: 'admin-token-of-the-specs' })
    const revised = (method: string, etag: string, body?: unknown) =>
      owner.send(method, `/administrators/${id}`, body, { 'sec-fetch-site': 'same-origin', 'if-match': etag })
    const first = String((await owner.send('GET', `/administrators/${id}`)).headers.etag)
    const changed = await revised('PATCH', first, { display_name: 'Anna' })
    expect([changed.status, changed.headers.etag === first]).toEqual([200, false])
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body } = await revised(method, first, method === 'PATCH' ? { role: 'viewer' } : undefined)
      expect([status, body]).toEqual([412, { message: 'It was changed meanwhile.', current: changed.body }])
    }
    expect((await revised('DELETE', String(changed.headers.etag))).status).toBe(204)
  })

  it.each(['GET', 'PATCH', 'DELETE'])('404: %s of an unknown id', async (method) => {
    expect((await send(method, '/4711', method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

describe('the last active owner (admin.md#last-owner)', () => {
  const owners = async (): Promise<number[]> => {
    const { data } = (await send('GET', '?per_page=500')).body as { data: Array<{ id: number; role: string }> }
    return data.filter(({ role }) => role === 'owner').map(({ id }) => id)
  }
  const text = 'The last active owner cannot be deleted, deactivated or given another role.'

  it('cannot be deleted, deactivated or given another role', async () => {
    const last = await create('owner.last', 'owner')
    await create('owner.inactive', 'owner', { is_active: false })
    for (const [method, body] of [
      ['PATCH', { role: 'manager' }],
      ['PATCH', { is_active: false }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await send(method, `/${last}`, body)
      expect([answer.status, answer.body.message]).toEqual([409, text])
    }
    expect((await send('GET', `/${last}`)).body).toMatchObject({ role: 'owner', is_active: true })
    expect((await send('PATCH', `/${last}`, { display_name: 'Last' })).status).toBe(200)
    const second = await create('owner.second', 'owner')
    expect((await send('DELETE', `/${last}`)).status).toBe(204)
    expect((await send('DELETE', `/${second}`)).status).toBe(409)
  })

  it('is one of those who are removed at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      await create(`owner.race${round}`, 'owner')
      const active = await owners()
      await Promise.all(
        active.map((id, at) => (at % 2 === 0 ? send('DELETE', `/${id}`) : send('PATCH', `/${id}`, { role: 'viewer' }))),
      )
      const { data } = (await send('GET', '?per_page=500')).body as {
        data: Array<{ role: string; is_active: boolean }>
      }
      expect(data.filter(({ role, is_active }) => role === 'owner' && is_active).length).toBe(1)
    }
  })
})

describe('an invitation (admin.md#invitations)', () => {
  const gone = { status: 404, body: { message: 'The invitation is no longer valid.' } }

  it('is for one use', async () => {
    const token = await invite(await create('anna.once'))
    const answers = await Promise.all([accept(token), accept(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await accept(token)).toMatchObject(gone)
  })

  it('replaces the one before it', async () => {
    const id = await create('anna.twice')
    const [first, second] = [await invite(id), await invite(id)]
    expect(await accept(first)).toMatchObject(gone)
    expect((await accept(second)).status).toBe(200)
  })

  it('is a way back for a forgotten password, and ends the sessions of the old one', async () => {
    const id = await create('anna.forgot')
    const browser = new AdminBrowser(port)
    await accept(await invite(id), PASSWORD, browser)
    expect((await accept(await invite(id), 'a new and long password')).status).toBe(200)
    expect(await browser.status()).toBe(401)
  })

  it('is not valid after 72 hours, nor for one who is not active', async () => {
    const id = await create('anna.late')
    const token = await invite(id)
    await stage.db
      .collection<{ _id: number }>('administrators')
      .updateOne({ _id: id }, { $set: { 'invitation.expires_at': new Date() } })
    expect(await accept(token)).toMatchObject(gone)
    const fresh = await invite(id)
    await send('PATCH', `/${id}`, { is_active: false })
    expect(await accept(fresh)).toMatchObject(gone)
    expect((await send('POST', `/${id}/invitation`)).status).toBe(409)
  })

  it.each([['short'], ['x'.repeat(201)]])('stays valid after a password that is refused: %s', async (password) => {
    const token = await invite(await create(`anna.${password.length}`))
    expect((await accept(token, password)).status).toBe(422)
    expect((await accept(token)).status).toBe(200)
  })

  it('is stored as a hash', async () => {
    const token = await invite(await create('anna.hashed'))
    expect(JSON.stringify(await stage.db.collection('administrators').find().toArray())).not.toContain(token)
  })
})
