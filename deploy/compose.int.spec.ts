import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { MongoClient } from 'mongodb'
import { root, services } from './testing/checkout.js'
import { compose } from './testing/compose-file.js'
import { type ShippedBus, startShippedBus } from './testing/shipped-bus.js'

/** A service as compose runs it; only addresses, ports and database names differ. */
interface Running {
  name: string
  process: ChildProcess
  management: number
  log: () => string
}

/** From both publishers; the image has an address that may not be fetched. */
const EXPECTED_EVENTS = [
  'catalog.category.upserted',
  'catalog.product.upserted',
  'catalog.media.failed',
  'stock.supply.updated',
]
const DATABASES = `compose_int_${process.pid}`
let bus: ShippedBus
let gateway = ''
const running: Running[] = []

async function startAsCompose(name: string): Promise<Running> {
  const [port, management] = [await findFreePort(), await findFreePort()]
  if (name === 'gateway') gateway = `http://127.0.0.1:${port}`
  writeFileSync(join(bus.secretsFolder, `test_mongodb_url_${name}`), testMongodbUrl())
  const local: Record<string, string> = {
    NATS_URL: bus.url,
    PORT: String(port),
    MANAGEMENT_PORT: String(management),
    MONGODB_URL_FILE: join(bus.secretsFolder, `test_mongodb_url_${name}`),
    MONGODB_DATABASE: `${DATABASES}_${name.replace('-', '_')}`,
    UPLOADS_PATH: join(bus.secretsFolder, 'uploads'),
    STORAGE_PATH: join(bus.secretsFolder, 'files'),
    // the version of Node in the image knows more options than the oldest one
    NODE_OPTIONS: '',
  }
  const environment = Object.entries(compose.services[name]?.environment ?? {}).map(([variable, value]) => {
    const filled = String(value)
      // an inner default first
      .replace(/\$\{\w+:-([^{}]*)\}/, '$1')
      .replace(/\$\{\w+:-([^{}]*)\}/, '$1')
      .replace('/run/secrets', bus.secretsFolder)
    return [variable, local[variable] ?? filled]
  })
  const [, program] = compose.services[name]?.command ?? ['node', 'dist/main.js']
  const child = spawn(process.execPath, ['--enable-source-maps', program ?? ''], {
    // the job uses the image of another service
    cwd: join(root, 'services', name === 'provision' ? 'stock' : name),
    env: { PATH: process.env.PATH, ...Object.fromEntries(environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  return { name, process: child, management, log: () => log }
}

/** Repeats until the value matches. @returns the last value when the deadline has passed */
async function until<Value>(
  ask: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  withinMs = 60_000,
): Promise<Value> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await ask()
    if (isRight(value) || Date.now() > end) return value
    await delay(50)
  }
}

const health = (path: string, { management }: Running) =>
  fetch(`http://127.0.0.1:${management}${path}`).then(
    (answer) => answer.status,
    () => 0,
  )

async function call(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${gateway}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
}

beforeAll(async () => {
  bus = await startShippedBus()
  const job = await startAsCompose('provision')
  const [code] = (await once(job.process, 'exit')) as [number]
  if (code !== 0) throw new Error(job.log())
  for (const name of services) running.push(await startAsCompose(name))
})

afterAll(async () => {
  for (const { process: child } of running) child.kill('SIGKILL')
  await bus?.stop()
  const client = await MongoClient.connect(testMongodbUrl())
  for (const name of services) await client.db(`${DATABASES}_${name.replace('-', '_')}`).dropDatabase()
  await client.close()
})

describe('the services as compose configures them', () => {
  it('start, each with its own bus user and secrets as files', async () => {
    for (const service of running) {
      const status = await until(
        () => health('/readyz', service),
        (value) => value === 200,
        90_000,
      )
      expect([service.name, status, status === 200 ? '' : service.log()]).toEqual([service.name, 200, ''])
    }
  })

  it('set up a shop from the first token to stock, with the permissions of the bus', async () => {
    const admin = readFileSync(join(bus.secretsFolder, 'admin_token'), 'utf8')
    const storage = await call('POST', '/api/admin/storages', admin, { name: 'Main' })
    const point = await call('POST', '/api/admin/pick-up-points', admin, {
      name: 'Shop',
      storage_ids: [storage.body.id],
    })
    const settings = { erp_enabled: true, erp_storage_id: storage.body.id, erp_pick_up_point_id: point.body.id }
    expect(await call('PATCH', '/api/admin/settings', admin, settings)).toMatchObject({ status: 200, body: settings })
    const token = String((await call('POST', '/api/admin/settings/erp-token', admin)).body.token)
    const products = [
      { id_erp: 'p1', name: 'Bolt', category_id_erp: 'c1', images: [{ url: 'http://127.0.0.1:9/bolt.png' }] },
    ]
    expect(
      await call('POST', '/api/erp/categories/batch-upsert', token, [{ id_erp: 'c1', name: 'Bolts' }]),
    ).toMatchObject({ status: 200 })
    expect(await call('POST', '/api/erp/products/batch-upsert', token, { products })).toMatchObject({ status: 200 })
    expect(
      await call('POST', '/api/erp/stocks/batch-update', token, [{ product_id_erp: 'p1', quantity: 3 }]),
    ).toMatchObject({ status: 200 })
    const supplies = await call('GET', '/api/admin/supplies?product_erp_id=p1', admin)
    expect(supplies.body).toMatchObject({ total: 1, data: [{ quantity: 3 }] })
  })

  it('publish events to the stream', async () => {
    const { nc } = await bus.connectAs('catalog')
    const { jetstreamManager } = await import('@nats-io/jetstream')
    const streams = await jetstreamManager(nc)
    const subjects = await until(
      async () => Object.keys((await streams.streams.info('EVENTS', { subjects_filter: '>' })).state.subjects ?? {}),
      (found) => EXPECTED_EVENTS.every((subject) => found.includes(subject)),
      20_000,
    )
    expect(subjects).toEqual(expect.arrayContaining(EXPECTED_EVENTS))
  })

  it('stop on SIGTERM within their grace period, and the bus refused nothing', async () => {
    for (const { process: child } of running) child.kill('SIGTERM')
    for (const service of running) {
      if (service.process.exitCode === null) await once(service.process, 'exit')
      expect([service.name, service.process.exitCode]).toEqual([service.name, 0])
      expect(service.log()).not.toMatch(/permissions violation|authorization violation/i)
    }
  })
})
