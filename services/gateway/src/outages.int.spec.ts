import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deactivateProducts, describeMedia } from '@partsbus/contracts/catalog/commands'
import { busHeaders } from '@partsbus/contracts/message'
import { proxiedMongodbUrl, testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { LATEST_BACKUP } from '@partsbus/contracts/gateway/latest-times'
import { writeLatestTime } from '@partsbus/platform/mongo/latest-time'
import { fastestMs } from '@partsbus/test-kit/durations'
import { type Answer, ask } from './testing/send-request.js'
import { type BlockableProxy, openBlockableProxy } from './testing/blockable-proxy.js'
import { administer, answerCommand, openRealStage } from './testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let way: BlockableProxy
let port: number
let token: string
let managementPort: number

beforeAll(async () => {
  stage = await openRealStage('away')
  const database = new URL(testMongodbUrl())
  way = await openBlockableProxy({ host: database.hostname, port: Number(database.port) })
  const gateway = await stage.startGateway({ MONGODB_URL: proxiedMongodbUrl(way.port) })
  port = gateway.port
  managementPort = gateway.managementPort
  await administer(port, 'PATCH', '/settings', { erp_enabled: true })
  token = (await administer(port, 'POST', '/settings/erp-token')).body.token as string
})
afterAll(async () => {
  await stage?.close()
  await way?.close()
})

const call = (): Promise<Answer> =>
  ask(port, {
    method: 'POST',
    url: '/api/erp/products/delete',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-request-id': 'call-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
    body: '{"ids_erp":[]}',
  })
const ping = (): Promise<Answer> => ask(port, { url: '/api/erp/ping', headers: { authorization: `Bearer ${token}` } })
const unavailable = [503, '5', { message: 'Service temporarily unavailable.' }]
const shown = ({ statusCode, headers, json }: Answer): unknown[] => [statusCode, headers['retry-after'], json()]
const isReady = async (): Promise<boolean> => (await ask(managementPort, { url: '/readyz' })).statusCode === 200

describe('an outage is answered 503 at once until it is over', () => {
  it('a service that is not there', async () => {
    expect(shown(await call())).toEqual(unavailable)
    expect(await fastestMs(10, call)).toBeLessThan(100)
    expect((await ping()).statusCode).toBe(200)
    let sent: Headers | undefined
    const service = answerCommand(stage.nc, deactivateProducts, (_call, headers) => {
      sent = headers
      return { requested: 0, deactivated: 0, not_found: [] }
    })
    await stage.nc.flush()
    expect((await call()).statusCode).toBe(200)
    expect([
      sent?.get(busHeaders.requestId),
      sent?.get(busHeaders.traceparent),
      sent?.get(busHeaders.timeoutMs),
    ]).toEqual(['call-1', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '35000'])
    service.unsubscribe()
  })

  it('a service that does not answer: 504 at the deadline', async () => {
    const deadlines: unknown[] = []
    const frozen = stage.nc.subscribe(describeMedia.subject, {
      callback: (_error, { headers }) => void deadlines.push(headers?.get(busHeaders.timeoutMs)),
    })
    await stage.nc.flush()
    const startedAt = performance.now()
    expect(shown(await ask(port, { url: '/media/1/x.jpg' }))).toEqual([
      504,
      undefined,
      { message: 'The service did not answer in time.' },
    ])
    expect(performance.now() - startedAt).toBeGreaterThan(4_500)
    expect(deadlines).toEqual(['5000'])
    frozen.unsubscribe()
  })

  it('the bus', async () => {
    const service = answerCommand(stage.nc, deactivateProducts, () => ({ requested: 0, deactivated: 0, not_found: [] }))
    await stage.nc.flush()
    expect((await call()).statusCode).toBe(200)
    await stage.nats.kill()
    expect(shown(await call())).toEqual(unavailable)
    expect(await fastestMs(10, call)).toBeLessThan(100)
    expect(await isReady()).toBe(false)
    await stage.nats.restart()
    expect(await waitUntil(async () => (await call()).statusCode === 200, { withinMs: 20_000 })).toBe(true)
    expect(await isReady()).toBe(true)
    service.unsubscribe()
  })

  it('the bus, while the gateway starts', async () => {
    const service = answerCommand(stage.nc, deactivateProducts, () => ({ requested: 0, deactivated: 0, not_found: [] }))
    await stage.nats.kill()
    const fresh = await stage.startGateway()
    const calls = (): Promise<Answer> =>
      ask(fresh.port, {
        method: 'POST',
        url: '/api/erp/products/delete',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"ids_erp":[]}',
      })
    expect(shown(await calls())).toEqual(unavailable)
    expect(
      (await ask(fresh.port, { url: '/api/erp/ping', headers: { authorization: `Bearer ${token}` } })).statusCode,
    ).toBe(200)
    expect((await ask(fresh.managementPort, { url: '/readyz' })).statusCode).toBe(503)
    expect((await ask(fresh.managementPort, { url: '/livez' })).statusCode).toBe(200)
    await stage.nats.restart()
    expect(await waitUntil(async () => (await calls()).statusCode === 200, { withinMs: 20_000 })).toBe(true)
    expect((await ask(fresh.managementPort, { url: '/readyz' })).statusCode).toBe(200)
    service.unsubscribe()
  })

  it('the settings, after 5 s', async () => {
    way.block()
    const startedAt = performance.now()
    expect((await ping()).statusCode).toBe(200)
    expect(await waitUntil(async () => (await ping()).statusCode === 503, { withinMs: 20_000 })).toBe(true)
    expect(performance.now() - startedAt).toBeGreaterThan(4_000)
    expect(shown(await ping())).toEqual(unavailable)
    expect(await fastestMs(10, ping)).toBeLessThan(100)
    // clients get this 503, not the page of a balancer without ready gateways
    expect(await isReady()).toBe(true)
    expect(shown(await ask(port, { method: 'POST', url: '/api/b2b/get-brands' }))).toEqual([
      503,
      '5',
      { result: false, message: 'Service temporarily unavailable.' },
    ])
    way.unblock()
    expect(await waitUntil(async () => (await ping()).statusCode === 200, { withinMs: 20_000 })).toBe(true)
  })
})

it('the moment of the newest backup is a metric, absent without one and while the database is down', async () => {
  const metric = async (): Promise<string | undefined> =>
    (await ask(managementPort, { url: '/metrics' })).body
      .split('\n')
      .find((line) => line.startsWith('backup_latest_timestamp_seconds'))
  expect(await metric()).toBeUndefined()
  await writeLatestTime(stage.db, LATEST_BACKUP, new Date('2026-01-31T03:00:00Z'))
  await writeLatestTime(stage.db, LATEST_BACKUP, new Date('2026-01-30T03:00:00Z'))
  const isShown = async (): Promise<boolean> => (await metric())?.endsWith(' 1769828400') === true
  expect(await waitUntil(isShown, { withinMs: 60_000 })).toBe(true)
  way.block()
  expect(await metric()).toBeUndefined()
  way.unblock()
  expect(await waitUntil(isShown, { withinMs: 60_000 })).toBe(true)
})

describe('the version of the database', () => {
  const versionsOf = (database: string) =>
    stage.db.client.db(database).collection<{ _id: string; version: number; oldest_code: number }>('schema_version')

  it('makes a gateway refuse a database that only newer code may use', async () => {
    const database = `${stage.db.databaseName}_newer`
    await versionsOf(database).insertOne({ _id: 'schema', version: 9, oldest_code: 8 })
    await expect(stage.startGateway({ MONGODB_DATABASE: database })).rejects.toThrow(
      'the database has schema version 9, which needs code of schema version 8 or newer; this code has 1.',
    )
    await stage.db.client.db(database).dropDatabase()
  })

  it('is recorded when a database is back that was down when the gateway started', async () => {
    const database = `${stage.db.databaseName}_late`
    way.block()
    const late = await stage.startGateway({
      MONGODB_URL: proxiedMongodbUrl(way.port),
      MONGODB_DATABASE: database,
    })
    const readyz = async () => (await ask(late.managementPort, { url: '/readyz' })).statusCode
    expect(await readyz()).toBe(503)
    expect((await ask(late.port, { url: '/api/erp/ping' })).statusCode).toBe(503)
    way.unblock()
    expect(await waitUntil(async () => (await readyz()) === 200, { withinMs: 60_000 })).toBe(true)
    expect(await versionsOf(database).findOne()).toMatchObject({ _id: 'schema', version: 1 })
    await late.stop()
    await stage.db.client.db(database).dropDatabase()
  })
})
