import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deactivateProducts } from '@partsbus/contracts/catalog/commands'
import { findBrands } from '@partsbus/contracts/supplier-search/commands'
import { fastestMs } from '@partsbus/test-kit/durations'
import { openConnection, type RawConnection } from '../../testing/raw-connection.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'
import { type Answer, ask } from '../../testing/send-request.js'

const MIB = 1024 * 1024

let stage: Awaited<ReturnType<typeof openRealStage>>
let port: number
let erp: string
let b2b: string
let finishSearches: () => void = () => undefined
const open: RawConnection[] = []

beforeAll(async () => {
  stage = await openRealStage('slow_clients')
  port = (await stage.startGateway()).port
  await administer(port, 'PATCH', '/settings', { erp_enabled: true, b2b_enabled: true })
  erp = (await administer(port, 'POST', '/settings/erp-token')).body.token as string
  b2b = (await administer(port, 'POST', '/settings/b2b-token')).body.token as string
  answerCommand(stage.nc, deactivateProducts, () => ({ requested: 0, deactivated: 0, not_found: [] }))
  const finished = new Promise<void>((resolve) => {
    finishSearches = resolve
  })
  answerCommand(stage.nc, findBrands, () =>
    finished.then(() => ({ result: true, message: 'OK', brands: [], suppliers: '' })),
  )
  await stage.nc.flush()
})
afterAll(async () => {
  for (const { socket } of open) socket.destroy()
  await stage?.close()
})

/** A request whose body does not follow its first byte. */
const announcement = (path: string, token: string, bytes: number): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    '',
    '{',
  ].join('\r\n')
async function announceBody(path: string, token: string, bytes: number): Promise<void> {
  open.push(await openConnection(port, announcement(path, token, bytes)))
}
const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
const post = (path: string, token: string, body: string): Promise<Answer> =>
  ask(port, { method: 'POST', url: path, headers: json(token), body })
const sendBatch = async (): Promise<number> =>
  (await post('/api/erp/products/delete', erp, '{"ids_erp":[]}')).statusCode

describe('an API with slow clients or slow services (rules.md#overload)', () => {
  it.each([
    ['partners', '/api/b2b/get-brands', () => b2b],
    ['the ERP', '/api/erp/products/delete', () => erp],
  ])(
    '220 connections of %s that announce 1 MiB and send nothing refuse no other request',
    async (_who, path, token) => {
      for (let count = 0; count < 220; count += 1) await announceBody(path, token(), MIB)
      expect(await sendBatch()).toBe(200)
      expect((await administer(port, 'GET', '/settings')).status).toBe(200)
      expect((await ask(port, { url: '/api/erp/ping', headers: json(erp) })).statusCode).toBe(200)
    },
  )

  it('hanging searches do not use the capacity of other APIs, and more are refused within 50 ms', async () => {
    const searches: Array<Promise<Answer>> = []
    for (let count = 0; count < 300; count += 1) searches.push(post('/api/b2b/get-brands', b2b, '{"article":"1"}'))
    const refused = await Promise.any(
      searches.map(async (search) => {
        const answer = await search
        if (answer.statusCode !== 503) throw new Error(`answered ${answer.statusCode}`)
        return answer
      }),
    )
    expect([refused.headers['retry-after'], refused.json()]).toEqual([
      '1',
      { result: false, message: 'Service temporarily unavailable.' },
    ])
    expect(refused.headers['x-request-id']).toEqual(expect.stringMatching(/./))
    // its connection is closed unless the announced body follows
    const silent = await openConnection(port, announcement('/api/b2b/get-brands', b2b, 1_000))
    expect(await silent.until(/Service temporarily unavailable/)).toMatch(/^HTTP\/1\.1 503 /)
    await silent.closed()
    const statuses: number[] = []
    const ms = await fastestMs(20, async () =>
      statuses.push((await post('/api/b2b/get-brands', b2b, '{"article":"1"}')).statusCode),
    )
    expect(statuses).toEqual(Array(20).fill(503))
    expect(ms).toBeLessThan(50)
    expect(await sendBatch()).toBe(200)
    expect((await administer(port, 'GET', '/settings')).status).toBe(200)
    finishSearches()
    expect(new Set((await Promise.all(searches)).map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
  })
})
