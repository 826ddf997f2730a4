import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { explainBrands } from '@partsbus/contracts/supplier-search/overview'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { openConnection, type RawConnection } from '../../testing/raw-connection.js'
import { ask } from '../../testing/send-request.js'

const TOKEN = 'admin-token-of-the-specs'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
const open: RawConnection[] = []

beforeAll(async () => {
  stage = await openRealStage('strangers')
  port = (await stage.startGateway()).port
})
afterAll(async () => {
  for (const { socket } of open) socket.destroy()
  await stage?.close()
})

async function signIn(from?: string): Promise<{ browser: AdminBrowser; status: number }> {
  const browser = new AdminBrowser(port, from)
  const { status } = await browser.send('POST', '/session', { token: TOKEN })
  return { browser, status }
}

describe('whoever has no credential costs nothing to those who have (rules.md#overload)', () => {
  const silent = [
    'POST /api/admin/session HTTP/1.1',
    'Host: gateway',
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/json',
    'Content-Length: 10',
    '',
    '',
  ].join('\r\n')

  it('120 sign-ins whose body does not come keep nobody out, and are closed after 5 s', async () => {
    for (let count = 0; count < 120; count += 1) open.push(await openConnection(port, silent))
    for (const from of ['127.0.0.1', '127.0.3.1']) expect((await signIn(from)).status).toBe(200)
    const last = open.at(-1) as RawConnection
    await last.until(/^HTTP\/1\.1 408 /)
    expect(await last.closed()).toBeLessThan(20_000)
  })

  it('requests that do not wait for the answers to the ones before end their connection', async () => {
    const request = 'GET /nowhere HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer wrong\r\n\r\n'
    const some = await openConnection(port, request.repeat(16))
    await some.until(/(?:HTTP\/1\.1 404 (?:(?!HTTP)[^])*){16}/)
    const many = await Promise.all(Array.from({ length: 60 }, () => openConnection(port, request.repeat(650))))
    open.push(some, ...many)
    expect((await ask(port, { url: '/api/admin/session' })).statusCode).toBe(401)
    for (const connection of many) {
      await connection.closed()
      expect(connection.text().split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(16)
    }
  })

  it('thousands of requests at once hold up nobody', async () => {
    const request = 'GET /x HTTP/1.1\r\nHost:x\r\n\r\n'
    const many = await Promise.all(
      Array.from({ length: 60 }, () => openConnection(port, request.repeat(65_536 / request.length))),
    )
    open.push(...many)
    const startedAt = performance.now()
    expect((await ask(port, { url: '/api/admin/session' })).statusCode).toBe(401)
    // 7 s and more while each of them was read
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    for (const connection of many) await connection.closed()
    // the parsers are as they were
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ask(port, { method: 'POST', url: '/api/admin/session', body: '{}' })),
    )
    expect([...new Set(answers.map(({ statusCode }) => statusCode))]).toEqual([403])
  })

  it('a sign-in has at most 4 KiB', async () => {
    const body = JSON.stringify({ token: 'x'.repeat(4_096) })
    const headers = { 'content-type': 'application/json', ...sameOrigin }
    expect((await ask(port, { method: 'POST', url: '/api/admin/session', headers, body })).statusCode).toBe(413)
  })

  it('made-up cookies on 160 connections of one address refuse no administrator, and no new session', async () => {
    const { browser } = await signIn()
    let isOver = false
    const statuses = new Set<number>()
    const strangers = Array.from({ length: 160 }, async () => {
      while (!isOver) {
        const cookie = `partsbus=${randomBytes(32).toString('base64url')}`
        statuses.add((await ask(port, { url: '/api/admin/session', headers: { cookie } })).statusCode)
      }
    })
    const answered: number[] = []
    for (let count = 0; count < 20; count += 1) answered.push(await browser.status('/settings'))
    const { browser: second, status } = await signIn()
    answered.push(status, await second.status('/settings'))
    isOver = true
    await Promise.all(strangers)
    expect([answered, [...statuses]]).toEqual([Array(22).fill(200), [401]])
  })
})

describe('what waits for others holds up nothing else (rules.md#overload)', () => {
  it('the settings are answered at once while searches hang', async () => {
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    answerCommand(stage.nc, explainBrands, () => finished.then(() => ({}) as never))
    await stage.nc.flush()
    const searches = Array.from({ length: 150 }, () => administer(port, 'POST', '/search/brands', { article: '1' }))
    // those beyond the bound are refused at once
    expect((await Promise.any(searches.map(refusal))).status).toBe(503)
    for (let count = 0; count < 40; count += 1) expect((await administer(port, 'GET', '/settings')).status).toBe(200)
    const reads = Array.from({ length: 20 }, () => administer(port, 'GET', '/settings'))
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(20).fill(200))
    finish()
    await Promise.all(searches)
  })
})

async function refusal<Answer extends { status: number }>(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent
  if (answer.status !== 503) throw new Error(`answered ${answer.status}`)
  return answer
}
