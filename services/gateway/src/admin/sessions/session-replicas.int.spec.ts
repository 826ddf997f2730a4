import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { getImportTask } from '@partsbus/contracts/pricing-import/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { adminImportTask } from '../../testing/resources.js'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { ask } from '../../testing/send-request.js'
import type { RunningGateway } from '../../start.js'

const PASSWORD = 'correct horse battery'

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateways: RunningGateway[]
let one: number
let other: number

beforeAll(async () => {
  stage = await openRealStage('session_replicas')
  gateways = [await stage.startGateway(), await stage.startGateway()]
  ;[one, other] = gateways.map(({ port }) => port) as [number, number]
})
afterAll(() => stage?.close())

/** Somebody with a session that both gateways have served. */
async function join(name: string, from = '127.0.0.1'): Promise<{ id: number; browser: AdminBrowser }> {
  const { body } = await administer(one, 'POST', '/administrators', { name, role: 'manager' })
  const browser = new AdminBrowser(one, from)
  const { token } = body.invitation as { token: string }
  await browser.send('POST', '/invitation', { token, password: PASSWORD })
  expect([await browser.status(), await browser.at(other).status()]).toEqual([200, 200])
  return { id: body.id as number, browser }
}

async function areReady(): Promise<boolean> {
  const answers = await Promise.all(gateways.map(({ managementPort }) => ask(managementPort, { url: '/readyz' })))
  return answers.every(({ statusCode }) => statusCode === 200)
}

describe('a session at two gateways (admin.md#revocation)', () => {
  it('is refused by the other gateway as soon as its end is answered', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { browser } = await join(`anna.ended${round}`)
      const elsewhere = browser.at(other)
      await browser.send('DELETE', '/session')
      expect(await elsewhere.status()).toBe(401)
    }
  })

  it('has its new role at the other gateway as soon as the change is answered', async () => {
    const { id, browser } = await join('anna.viewer')
    await administer(one, 'PATCH', `/administrators/${id}`, { role: 'viewer' })
    const { body } = await browser.at(other).send('GET', '/session')
    expect(body.administrator).toMatchObject({ role: 'viewer' })
  })

  it('ends everywhere when its administrator is switched off', async () => {
    const { id, browser } = await join('anna.off')
    await administer(one, 'PATCH', `/administrators/${id}`, { is_active: false })
    expect([await browser.status(), await browser.at(other).status()]).toEqual([401, 401])
  })

  it('ends everywhere when its administrator is deleted', async () => {
    const { id, browser } = await join('anna.deleted')
    await administer(one, 'DELETE', `/administrators/${id}`)
    expect([await browser.at(other).status(), await browser.status()]).toEqual([401, 401])
  })

  it('ends its event streams, too', async () => {
    answerCommand(stage.nc, getImportTask, () => ({ ...adminImportTask, status: 'processing' }))
    await stage.nc.flush()
    const { id, browser } = await join('anna.stream')
    let isOver = false
    const stream = ask(other, {
      url: '/api/admin/import-tasks/41/events',
      headers: { cookie: browser.cookie ?? '' },
    }).finally(() => {
      isOver = true
    })
    expect([await browser.at(other).status(), isOver]).toEqual([200, false])
    await administer(one, 'DELETE', `/administrators/${id}/sessions`)
    expect((await stream).body).toMatch(/^retry: 1000\nid: /)
  })

  it('opens nothing while the bus is down, after a second at most', async () => {
    const { browser } = await join('anna.no-bus')
    await stage.nats.kill()
    const areRefused = async () => (await browser.status()) === 503 && (await browser.at(other).status()) === 503
    expect(await waitUntil(areRefused, { withinMs: 2_000 })).toBe(true)
    await stage.nats.restart()
    // until both are connected again, each counts the failures that follow alone
    expect(await waitUntil(areReady, { withinMs: 20_000 })).toBe(true)
  })
})

describe('failures at two gateways (admin.md#throttling)', () => {
  it('are counted together: the sixth attempt waits, even with the right password', async () => {
    const from = '127.0.3.1'
    await join('anna.guessed', from)
    const attempt = (port: number, password: string) =>
      new AdminBrowser(port, from).send('POST', '/session', { name: 'anna.guessed', password })
    for (let count = 0; count < 5; count += 1) {
      expect((await attempt(count % 2 === 0 ? one : other, 'a wrong password')).status).toBe(401)
    }
    for (const port of [one, other]) {
      const { status, body, headers } = await attempt(port, PASSWORD)
      expect([status, body]).toEqual([429, { message: 'Too many requests.' }])
      expect(Number(headers['retry-after'])).toBeGreaterThan(25)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30)
    }
    const elsewhere = new AdminBrowser(other, '127.0.3.2')
    expect((await elsewhere.send('POST', '/session', { name: 'anna.guessed', password: PASSWORD })).status).toBe(200)
  })

  it('with one name from many addresses do not slow down the addresses that it has signed in from', async () => {
    const home = '127.0.5.1'
    await join('anna.attacked', home)
    const attempt = (from: string, password: string) =>
      new AdminBrowser(other, from).send('POST', '/session', { name: 'anna.attacked', password })
    for (let count = 1; count <= 20; count += 1)
      expect((await attempt(`127.0.6.${count}`, 'a wrong password')).status).toBe(401)
    for (let count = 0; count < 3; count += 1) expect((await attempt(home, PASSWORD)).status).toBe(200)
    const elsewhere = await Promise.all([1, 2].map((at) => attempt(`127.0.7.${at}`, PASSWORD)))
    expect(elsewhere.map(({ status }) => status).filter((status) => status === 429)).not.toEqual([])
  })

  it('with one address are 10 a minute over all calls that need no credential', async () => {
    const browser = (port: number) => new AdminBrowser(port, '127.0.3.3')
    for (let count = 0; count < 5; count += 1) {
      const body = { token: `wrong-${count}`, password: PASSWORD }
      expect((await browser(one).send('POST', '/invitation', body)).status).toBe(404)
      expect((await browser(other).send('POST', '/session', { token: 'wrong' })).status).toBe(401)
    }
    expect((await browser(one).send('POST', '/session', { token: 'wrong' })).status).toBe(429)
    expect((await browser(other).send('POST', '/invitation', { token: 'x', password: PASSWORD })).status).toBe(429)
    const wrongBearer = (port: number) =>
      browser(port).send('GET', '/settings', undefined, { authorization: 'Bearer wrong' })
    // counted apart
    for (let count = 0; count < 10; count += 1)
      expect((await wrongBearer(count % 2 === 0 ? one : other)).status).toBe(401)
    expect([(await wrongBearer(one)).status, (await wrongBearer(other)).status]).toEqual([429, 429])
  })
})
