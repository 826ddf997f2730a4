import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { upsertProducts } from '@partsbus/contracts/catalog'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { ask } from '../testing/send-request.js'
import { administer, answerCommand, openRealStage } from '../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let one: number
let other: number
const admitted: unknown[] = []

beforeAll(async () => {
  stage = await openRealStage('settings_replicas')
  one = (await stage.startGateway()).port
  other = (await stage.startGateway()).port
  answerCommand(stage.nc, upsertProducts, ({ settings }) => {
    admitted.push(settings.erp_max_batch_items)
    return { processed: 0, created: 0, updated: 0, errors: [] }
  })
  await stage.nc.flush()
}, 60_000)
afterAll(() => stage?.close())

const ping = async (port: number, token: string): Promise<number> =>
  (await ask(port, { url: '/api/erp/ping', headers: { authorization: `Bearer ${token}` } })).statusCode
const issue = async (port: number): Promise<string> =>
  (await administer(port, 'POST', '/settings/erp-token')).body.token as string

describe('settings with two gateways', () => {
  it('a change that was answered by one is seen by the next call to the other, and travels with it', async () => {
    await administer(one, 'PATCH', '/settings', { erp_enabled: true })
    const token = await issue(one)
    for (let limit = 101; limit <= 120; limit += 1) {
      const [writer, reader] = limit % 2 === 0 ? [one, other] : [other, one]
      await administer(writer, 'PATCH', '/settings', { erp_max_batch_items: limit })
      const { statusCode } = await ask(reader, {
        method: 'POST',
        url: '/api/erp/products/batch-upsert',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '[]',
      })
      expect([statusCode, admitted.at(-1)]).toEqual([200, limit])
    }
  })

  it('a re-issued token is dead on both, and the new one is alive', async () => {
    const old = await issue(one)
    expect([await ping(one, old), await ping(other, old)]).toEqual([200, 200])
    const token = await issue(one)
    expect([await ping(one, old), await ping(other, old), await ping(one, token), await ping(other, token)]).toEqual([
      401, 401, 200, 200,
    ])
    await administer(other, 'DELETE', '/settings/erp-token')
    expect([await ping(one, token), await ping(other, token)]).toEqual([401, 401])
  })

  it('changes made at once by both are all kept', async () => {
    const changes = [
      { erp_rate_limit: 100_000 },
      { b2b_rate_limit: 11 },
      { retention_days: 12 },
      { audit_retention_days: 13 },
      { media_wait_ms: 14 },
      { erp_max_batch_items: 15 },
    ]
    const answers = await Promise.all(
      changes.map((change, at) => administer(at % 2 === 0 ? one : other, 'PATCH', '/settings', change)),
    )
    expect(answers.map((answer) => answer.status)).toEqual(changes.map(() => 200))
    expect((await administer(one, 'GET', '/settings')).body).toMatchObject(Object.assign({}, ...changes))
  })

  it('a name with dots in it is a setting like any other', async () => {
    await administer(one, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 1_000 })
    expect((await administer(other, 'GET', '/settings')).body).toMatchObject({
      'price-lists.import.max_file_size': 1_000,
    })
  })

  it('the database holds no token', async () => {
    const token = await issue(one)
    const kept = JSON.stringify(
      await Promise.all((await stage.db.collections()).map((collection) => collection.find().toArray())),
    )
    expect(kept).toContain(token.slice(-4))
    expect(kept).not.toContain(token)
  })

  it('without the bus a change reaches the other within a second', async () => {
    const token = await issue(one)
    await stage.nats.kill()
    await administer(one, 'PATCH', '/settings', { erp_enabled: false })
    expect(await ping(one, token)).toBe(503)
    expect(await waitUntil(async () => (await ping(other, token)) === 503, { withinMs: 1_000, everyMs: 20 })).toBe(true)
    await stage.nats.restart()
    await administer(one, 'PATCH', '/settings', { erp_enabled: true })
    expect(await waitUntil(async () => (await ping(other, token)) === 200, { withinMs: 1_000, everyMs: 20 })).toBe(true)
  })
})
