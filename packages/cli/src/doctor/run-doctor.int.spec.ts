import { createServer, type Server } from 'node:http'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { createAdminClient } from '@partsbus/client/admin-client'
import { busLayout } from '@partsbus/contracts/streams'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { SKIPPED_IDS } from '@partsbus/platform/mongo/counter-store'
import { provisionStreams } from '@partsbus/platform/bus/streams'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { createLog } from '@partsbus/platform/process/log'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { type Db, type Document, MongoClient } from 'mongodb'
import { checkClock } from './check-database.js'
import type { Finding } from './finding.js'
import { type Patient, runDoctor } from './run-doctor.js'
import { type ServiceName, serviceNames } from './services.js'

jest.setTimeout(60_000)

const key = randomBytes(32)
const box = new SecretBox([key])
const folder = mkdtempSync(join(tmpdir(), 'partsbus-doctor-'))
const suffix = randomBytes(4).toString('hex')
const version = buildInfo.version
const healthy = { version, services: [{ name: 'stock', state: 'up', ms: 1 }] }

let client: MongoClient
let dbs: Map<ServiceName, Db>
let nats: NatsServer
let bus: BusConnection
let gateway: Server
let overview: { status: number; body: Document } = { status: 200, body: healthy }
let patient: Patient

const db = (service: ServiceName): Db => dbs.get(service) as Db
const table = (service: ServiceName, name: string) => db(service).collection<Document & { _id: string | number }>(name)

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  dbs = new Map(serviceNames.map((name) => [name, client.db(`test_doctor_${name.replaceAll('-', '_')}_${suffix}`)]))
  nats = await startNats()
  bus = await connectBus({ url: nats.url, name: 'test', log: createLog('test', 'silent') })
  await provisionStreams(bus.nc, busLayout, 1)
  gateway = createServer((_request, response) => {
    response.writeHead(overview.status, { 'content-type': 'application/json' }).end(JSON.stringify(overview.body))
  })
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done))
  const { port } = gateway.address() as AddressInfo
  writeFileSync(join(folder, 'secrets-key'), key.toString('hex'), { mode: 0o600 })
  await fill()
  patient = {
    env: { STATE_DIR: folder },
    admin: createAdminClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'x' }),
    databases: { of: dbs, close: async () => undefined },
    bus: { url: nats.url },
    secretsKey: key.toString('hex'),
    minFreeBytes: 1,
  }
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
  await Promise.all([...dbs.values()].map((each) => each.dropDatabase()))
  await client.close()
  gateway.closeAllConnections()
  await new Promise((done) => gateway.close(done))
  rmSync(folder, { recursive: true })
})

/** A small installation without a fault. */
async function fill(): Promise<void> {
  const index = (service: ServiceName, name: string, names: Record<string, Document>) =>
    Promise.all(
      Object.entries(names).map(([label, fields]) =>
        table(service, name).createIndex(fields as never, { name: label }),
      ),
    )
  await index('catalog', 'products', { article_key: { article_key: 1 }, category_erp_ids_id: { category_erp_ids: 1 } })
  await index('catalog', 'categories', { parent_erp_id_id: { parent_erp_id: 1 } })
  await index('catalog', 'media', { sha256_unique: { sha256: 1 } })
  await index('catalog', 'media_sets', { due_at: { due_at: 1 } })
  await index('stock', 'supplies', {
    id: { id: 1 },
    product_id: { product_id: 1 },
    product_erp_id: { product_erp_id: 1 },
  })
  await index('pricing-import', 'offers', { article_version: { article_key: 1 } })
  await index('pricing-import', 'import_tasks', { status_list: { status: 1 }, list: { price_list_id: 1 } })
  await index('supplier-search', 'brand_synonyms', { keys_unique: { keys: 1 } })

  const values = { erp_storage_id: 1, erp_pick_up_point_id: 1, storages_for_crosses: [1], maintenance: null }
  await table('administration', 'settings').insertOne({ _id: 'settings', rev: 1, values })
  await table('catalog', 'counters').insertMany([
    { _id: 'product', value: 5 },
    { _id: 'media', value: 5 },
  ])
  await table('catalog', 'products').insertOne({ _id: 'P-1', id: 1, media: [{ id: 1 }] })
  await table('catalog', 'media').insertOne({ _id: 1, sha256: 'ab' })
  await table('catalog', 'media.chunks').insertOne({ _id: 'ab/0', n: 0, data: Buffer.from('x') })
  await table('stock', 'counters').insertMany(
    ['supplies', 'storages', 'pick_up_points'].map((_id) => ({ _id, value: 5 })),
  )
  const headers = [{ name: 'X-Key', sealed: box.seal('secret', 'storage 1 header x-key') }]
  await table('stock', 'storages').insertOne({ _id: 1, supplier: { kind: 'http', headers } })
  await table('stock', 'pick_up_points').insertOne({ _id: 1, storage_ids: [1] })
  await table('stock', 'supplies').insertOne({ _id: '1:1:1', id: 1, product_id: 1, storage_id: 1, pick_up_point_id: 1 })
  await table('pricing-import', 'counters').insertMany(
    ['import_tasks', 'price_lists', 'files'].map((_id) => ({ _id, value: 5 })),
  )
  const sources = [{ id: 1, sealed_password: box.seal('secret', 'price list 1 source 1') }]
  const versions = [{ version: 1, rows: 1 }]
  await table('pricing-import', 'price_lists').insertOne({
    _id: 1,
    storage_id: 1,
    active_version: 1,
    versions,
    sources,
  })
  await table('pricing-import', 'offers').insertOne({ _id: 1, version: 1, article_key: 'A' })
  await table('pricing-import', 'files').insertOne({ _id: 1, key: 'k', driver: 'gridfs', whole: true })
  await table('pricing-import', 'price_files.chunks').insertOne({ _id: 'k/000000', n: 0, data: Buffer.from('x') })
}

/** Changes documents for a test. @returns the way back */
async function update(
  service: ServiceName,
  name: string,
  _id: string | number,
  $set: Document,
): Promise<() => Promise<unknown>> {
  const before = (await table(service, name).findOne({ _id })) ?? {}
  await table(service, name).updateOne({ _id }, { $set })
  return () => table(service, name).replaceOne({ _id }, before)
}
async function remove(service: ServiceName, name: string, _id: string | number): Promise<() => Promise<unknown>> {
  const before = (await table(service, name).findOne({ _id })) ?? {}
  await table(service, name).deleteOne({ _id })
  return () => table(service, name).insertOne({ ...before, _id })
}
async function insert(
  service: ServiceName,
  name: string,
  document: Document & { _id: string },
): Promise<() => Promise<unknown>> {
  await table(service, name).insertOne(document)
  return () => table(service, name).deleteOne({ _id: document._id })
}
function answer(status: number, body: Document): () => Promise<unknown> {
  overview = { status, body }
  return async () => (overview = { status: 200, body: healthy })
}
const sealedElsewhere = new SecretBox([randomBytes(32)]).seal('secret', '')

type Fault = [code: string, cause: string, make: () => Promise<() => Promise<unknown>>]

const faults: Fault[] = [
  ['admin-token-wrong', 'another token', async () => answer(401, { message: 'Unauthenticated.' })],
  ['gateway-unreachable', 'a gateway that fails', async () => answer(503, { message: 'Service unavailable.' })],
  [
    'service-away',
    'a stopped service',
    async () => answer(200, { version, services: [{ name: 'stock', state: 'away' }] }),
  ],
  ['version-skew', 'an older gateway', async () => answer(200, { ...healthy, version: '0.0.1' })],
  [
    'schema-behind',
    'a database that is not migrated',
    () => insert('catalog', 'schema_version', { _id: 'schema', version: 0, oldest_code: 0 }),
  ],
  [
    'schema-ahead',
    'a database of a newer release',
    () => insert('stock', 'schema_version', { _id: 'schema', version: 99, oldest_code: 98 }),
  ],
  [
    'index-missing',
    'a dropped index',
    async () => {
      await table('stock', 'supplies').dropIndex('id')
      return () => table('stock', 'supplies').createIndex({ id: 1 }, { name: 'id' })
    },
  ],
  ['counter-behind', 'a counter of an older backup', () => update('stock', 'counters', 'storages', { value: 0 })],
  ['product-counter-behind-stock', 'an older catalog', () => update('stock', 'supplies', '1:1:1', { product_id: 9 })],
  ['duplicate-id', 'two products of one id', () => insert('catalog', 'products', { _id: 'P-2', id: 1, media: [] })],
  ['supply-without-product', 'a lost product', () => remove('catalog', 'products', 'P-1')],
  [
    'supply-without-storage',
    'a lost storage of a supply',
    () => update('stock', 'supplies', '1:1:1', { storage_id: 8 }),
  ],
  ['supply-without-pick-up-point', 'a lost point', () => update('stock', 'supplies', '1:1:1', { pick_up_point_id: 8 })],
  [
    'pick-up-point-without-storage',
    'a lost storage',
    () => update('stock', 'pick_up_points', 1, { storage_ids: [1, 8] }),
  ],
  [
    'list-without-storage',
    'a list of a lost storage',
    () => update('pricing-import', 'price_lists', 1, { storage_id: 8 }),
  ],
  ['live-version-without-offers', 'lost offers', () => remove('pricing-import', 'offers', 1)],
  [
    'setting-without-target',
    'a lost target',
    () => update('administration', 'settings', 'settings', { 'values.erp_storage_id': 8 }),
  ],
  [
    'maintenance',
    'a forgotten setting',
    () => update('administration', 'settings', 'settings', { 'values.maintenance': 'x' }),
  ],
  [
    'image-without-record',
    'a lost record of an image',
    () => update('catalog', 'products', 'P-1', { media: [{ id: 4 }] }),
  ],
  ['file-missing', 'lost bytes of an image', () => remove('catalog', 'media.chunks', 'ab/0')],
  ['file-missing', 'lost bytes of a price list', () => remove('pricing-import', 'price_files.chunks', 'k/000000')],
  [
    'secrets-unreadable',
    'a header under another key',
    () => update('stock', 'storages', 1, { 'supplier.headers': [{ name: 'X-Key', sealed: sealedElsewhere }] }),
  ],
  [
    'secrets-unreadable',
    'a password under another key',
    () => update('pricing-import', 'price_lists', 1, { sources: [{ id: 1, sealed_password: sealedElsewhere }] }),
  ],
  ['outbox-overdue', 'events that are not published', () => insert('stock', 'outbox', { _id: 'old', at: new Date(0) })],
  [
    'stream-missing',
    'a bus that lost a stream',
    async () => {
      await (await jetstreamManager(bus.nc)).streams.delete('EVENTS')
      return () => provisionStreams(bus.nc, busLayout, 1)
    },
  ],
  [
    'consumer-missing',
    'a bus that lost a consumer',
    async () => {
      await (await jetstreamManager(bus.nc)).consumers.delete('MEDIA', 'media-workers')
      return () => provisionStreams(bus.nc, busLayout, 1)
    },
  ],
  [
    'secret-exposed',
    'a key that everybody can read',
    async () => {
      chmodSync(join(folder, 'secrets-key'), 0o644)
      return async () => chmodSync(join(folder, 'secrets-key'), 0o600)
    },
  ],
]

const codes = (findings: Finding[]): string[] => findings.map(({ code }) => code)

it('finds nothing in a healthy installation', async () => {
  expect(await runDoctor(patient, false)).toEqual([])
})

describe('finds', () => {
  it.each(faults)('%s: %s', async (code, _cause, make) => {
    const undo = await make()
    try {
      const findings = await runDoctor(patient, false)
      expect(codes(findings)).toContain(code)
      for (const { message, advice } of findings) expect([message, advice]).not.toContain('')
    } finally {
      await undo()
    }
  })

  it('database-unreachable, and looks no further into the data', async () => {
    const away = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 100 })
    const of = new Map([['stock' as const, away.db('x')]])
    expect(codes(await runDoctor({ ...patient, databases: { ...patient.databases, of } }, false))).toEqual([
      'database-unreachable',
    ])
    await away.close()
  })

  it('bus-unreachable, disk-full and folder-missing', async () => {
    const env = { STATE_DIR: folder, UPLOADS_PATH: join(folder, 'none') }
    const sick = { ...patient, env, bus: { url: 'nats://127.0.0.1:1' }, minFreeBytes: Number.MAX_SAFE_INTEGER }
    expect(codes(await runDoctor(sick, false)).sort()).toEqual(['bus-unreachable', 'disk-full', 'folder-missing'])
  })

  it('clock-skew', async () => {
    expect(codes((await checkClock(db('stock'), () => Date.now() + 3_600_000)) as Finding[])).toEqual(['clock-skew'])
  })
})

it('repairs what loses nothing, and leaves the rest', async () => {
  const undo = await Promise.all([
    update('stock', 'counters', 'supplies', { value: 0 }),
    update('stock', 'supplies', '1:1:1', { product_id: 9 }),
  ])
  await (await jetstreamManager(bus.nc)).streams.delete('IMPORTS')
  chmodSync(join(folder, 'secrets-key'), 0o644)
  const findings = await runDoctor(patient, true)
  expect(findings.map(({ code, isFixed }) => `${code} ${isFixed ?? 'left'}`).sort()).toEqual([
    'counter-behind true',
    'product-counter-behind-stock true',
    'secret-exposed true',
    'stream-missing true',
    'supply-without-product left',
  ])
  expect(codes(await runDoctor(patient, false))).toEqual(['supply-without-product'])
  expect(await table('catalog', 'counters').findOne({ _id: 'product' })).toMatchObject({ value: 9 + SKIPPED_IDS })
  for (const back of undo) await back()
})
