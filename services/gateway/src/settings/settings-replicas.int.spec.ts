import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SETTINGS_EXPIRE_MS } from '@partsbus/contracts/administration/settings-commands'
import { upsertProducts } from '@partsbus/contracts/catalog/commands'
import { requestsCounted, settingsChanged } from '@partsbus/contracts/gateway/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { ask } from '../testing/send-request.js'
import type { CountReport } from '@partsbus/http-guard/rate-limit'
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
})
afterAll(() => stage?.close())

const ping = async (port: number, token: string): Promise<number> =>
  (await ask(port, { url: '/api/erp/ping', headers: { authorization: `Bearer ${token}` } })).statusCode
const issue = async (port: number): Promise<string> =>
  (await administer(port, 'POST', '/settings/erp-token')).body.token as string

describe('settings with two gateways', () => {
  it('a change answered by one gateway applies to the next request of the other, and to its calls', async () => {
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

  it('both gateways reject a replaced token and accept the new one', async () => {
    const old = await issue(one)
    expect([await ping(one, old), await ping(other, old)]).toEqual([200, 200])
    const token = await issue(one)
    expect([await ping(one, old), await ping(other, old), await ping(one, token), await ping(other, token)]).toEqual([
      401, 401, 200, 200,
    ])
    await administer(other, 'DELETE', '/settings/erp-token')
    expect([await ping(one, token), await ping(other, token)]).toEqual([401, 401])
  })

  it('concurrent changes of both gateways are all stored', async () => {
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

  it('names with dots are stored and read like others', async () => {
    await administer(one, 'PATCH', '/settings', { 'price-lists.import.max_file_size': 1_000 })
    expect((await administer(other, 'GET', '/settings')).body).toMatchObject({
      'price-lists.import.max_file_size': 1_000,
    })
  })

  it('the database contains no token', async () => {
    const token = await issue(one)
    const kept = JSON.stringify(
      await Promise.all((await stage.db.collections()).map((collection) => collection.find().toArray())),
    )
    expect(kept).toContain(token.slice(-4))
    expect(kept).not.toContain(token)
  })

  it('requests are served by the settings for 15 s without the bus, and are refused then', async () => {
    const token = await issue(one)
    await stage.nats.kill()
    const startedAt = performance.now()
    expect((await administer(one, 'PATCH', '/settings', { erp_enabled: false })).status).toBe(503)
    expect([await ping(one, token), await ping(other, token)]).toEqual([200, 200])
    expect(await waitUntil(async () => (await ping(one, token)) === 503, { withinMs: 30_000 })).toBe(true)
    expect(performance.now() - startedAt).toBeGreaterThan(SETTINGS_EXPIRE_MS - 2_000)
    await stage.nats.restart()
    for (const port of [one, other])
      expect(await waitUntil(async () => (await ping(port, token)) === 200, { withinMs: 20_000, everyMs: 20 })).toBe(
        true,
      )
  })

  // rules.md#settings-change
  it('a restart of the only administration process interrupts no request of the ERP', async () => {
    const token = await issue(one)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const outcomes: Array<{ status: number; at: number }> = []
      let running = true
      const calling = (async () => {
        for (let turn = 0; running; turn += 1) {
          const at = performance.now()
          outcomes.push({ status: await ping(turn % 2 === 0 ? one : other, token), at })
        }
      })()
      const stoppedAt = performance.now()
      await stage.administration.stop(signal)
      expect((await administer(one, 'GET', '/settings')).status).toBe(503)
      await stage.administration.start()
      const isBack = async () => (await administer(one, 'GET', '/settings')).status === 200
      expect(await waitUntil(isBack, { withinMs: 5_000 })).toBe(true)
      running = false
      await calling
      // on a busy machine the start may take longer than the settings are valid
      const meanwhile = outcomes.filter(({ at }) => at < stoppedAt + SETTINGS_EXPIRE_MS - 2_000)
      expect(meanwhile.filter(({ status }) => status !== 200)).toEqual([])
      expect(meanwhile.length).toBeGreaterThan(10)
    }
  })
})

describe('a change is acknowledged by every registered gateway (rules.md#settings-change)', () => {
  const gateways = () => stage.db.collection<{ _id: string; seen_at: Date }>('gateways')
  const patch = async (rate: number): Promise<number> => {
    const startedAt = performance.now()
    await administer(one, 'PATCH', '/settings', { erp_rate_limit: rate })
    return performance.now() - startedAt
  }

  it('both gateways are registered', async () => {
    expect(await gateways().countDocuments()).toBe(2)
  })

  it('waits for a gateway that is late', async () => {
    const late = await gateways().insertOne({ _id: 'late', seen_at: new Date() })
    const replies = stage.nc.subscribe(settingsChanged.subject, {
      callback: (_error, message) => {
        setTimeout(() => message.respond('late'), 800)
      },
    })
    await stage.nc.flush()
    const took = await patch(1_001)
    expect(took).toBeGreaterThan(750)
    expect(took).toBeLessThan(5_000)
    replies.unsubscribe()
    await gateways().deleteOne({ _id: late.insertedId })
  })

  it('waits 15 s for a gateway that does not acknowledge', async () => {
    await gateways().insertOne({ _id: 'frozen', seen_at: new Date() })
    const took = await patch(1_002)
    expect(took).toBeGreaterThan(SETTINGS_EXPIRE_MS)
    expect(took).toBeLessThan(SETTINGS_EXPIRE_MS + 5_000)
  })

  it('does not wait for a gateway that has not renewed its entry for 20 s', async () => {
    await gateways().updateOne({ _id: 'frozen' }, { $set: { seen_at: new Date(Date.now() - 21_000) } })
    expect(await patch(1_003)).toBeLessThan(5_000)
  })

  it('a gateway that starts deletes entries of those that ended without removing them', async () => {
    await gateways().updateOne({ _id: 'frozen' }, { $set: { seen_at: new Date(Date.now() - 61_000) } })
    const gateway = await stage.startGateway()
    expect(await gateways().countDocuments({ _id: 'frozen' })).toBe(0)
    await gateway.stop()
  })

  it('a gateway that stops removes its entry', async () => {
    const gateway = await stage.startGateway()
    expect(await gateways().countDocuments()).toBe(3)
    await gateway.stop()
    expect(await gateways().countDocuments()).toBe(2)
  })
})

describe('a rate limit over two gateways (rules.md#rate-limit)', () => {
  const reports: CountReport[] = []
  beforeAll(() => {
    stage.nc.subscribe(requestsCounted.subject, {
      callback: (_error, message) => {
        reports.push(message.json())
      },
    })
    return stage.nc.flush()
  })

  /**
   * Waits until each gateway has added what the other one admitted. A gateway ignores reports of a token that it has
   * not seen, so the other one reports again when it hears of it. The bus delivers in order: a gateway that
   * acknowledges a message has received the reports before it.
   */
  const settle = async (token: string, admitted: number): Promise<void> => {
    const digest = createHash('sha256').update(token).digest('hex')
    const areReported = async () => {
      const known = reports.filter((report) => digest.startsWith(report.token))
      const ids = [...new Set(known.map(({ gateway }) => gateway))]
      const first = (id: string) => known.findIndex(({ gateway }) => gateway === id)
      const last = (id: string) => known.findLastIndex(({ gateway }) => gateway === id)
      const count = ids.flatMap((id) => known[last(id)]?.counts ?? []).reduce((sum, each) => sum + each, 0)
      return count === admitted && ids.every((id) => ids.every((each) => each === id || last(id) > first(each)))
    }
    expect(await waitUntil(areReported, { withinMs: 20_000, everyMs: 2 })).toBe(true)
    const acknowledged = []
    const two = { strategy: 'count', maxMessages: 2, maxWait: 20_000 } as const
    for await (const { data } of await stage.nc.requestMany(settingsChanged.subject, '{"rev":0}', two))
      acknowledged.push(data)
    expect(acknowledged).toHaveLength(2)
  }

  /** Sends requests in groups that alternate, each when what came of the group before is known to both. */
  const statuses = async (limit: number, groups: number, width: number): Promise<number[][]> => {
    await administer(one, 'PATCH', '/settings', { erp_rate_limit: limit })
    const token = await issue(one)
    const answers: number[][] = []
    for (let group = 0; group < groups; group += 1) {
      answers.push(
        await Promise.all(
          Array.from({ length: width }, (_, at) => ping((group * width + at) % 2 === 0 ? one : other, token)),
        ),
      )
      await settle(token, answers.flat().filter((status) => status === 200).length)
    }
    return answers
  }
  const admitted = (answers: number[][]) => answers.flat().filter((status) => status === 200).length

  it('of 3 admits the first 3 of 6 requests that alternate', async () => {
    expect((await statuses(3, 6, 1)).flat()).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('of 200 admits 200 of 400 requests, ten at a time', async () => {
    const answers = await statuses(200, 40, 10)
    expect(answers.slice(0, 20).flat()).toEqual(Array.from({ length: 200 }, () => 200))
    expect(answers.slice(20).flat()).toEqual(Array.from({ length: 200 }, () => 429))
  })

  it('admits at most a tenth more when many requests cross the reports', async () => {
    // both know of 180 when the last thirty are sent at once, fifteen to each
    const count = admitted(await statuses(200, 8, 30))
    expect(count).toBeGreaterThanOrEqual(200)
    expect(count).toBeLessThanOrEqual(210)
  })

  it('is known to a gateway that starts later', async () => {
    await administer(one, 'PATCH', '/settings', { erp_rate_limit: 5 })
    const token = await issue(one)
    for (let count = 0; count < 5; count += 1) expect(await ping(one, token)).toBe(200)
    const later = await stage.startGateway()
    await ping(later.port, token)
    expect(await waitUntil(async () => (await ping(later.port, token)) === 429, { withinMs: 20_000 })).toBe(true)
    await later.stop()
  })
})
