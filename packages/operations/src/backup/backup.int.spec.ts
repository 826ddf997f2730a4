import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { createAdminClient } from '@partsbus/client/admin-client'
import { busLayout } from '@partsbus/contracts/streams'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { startTestS3 } from '@partsbus/local-stack/test-s3'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { connectBus } from '@partsbus/platform/bus/connection'
import type { StoredDatabase } from '@partsbus/platform/backup/backup-plan'
import { loadDocuments } from '@partsbus/platform/backup/copy-documents'
import { finishRestore } from '@partsbus/platform/backup/restore-databases'
import { provisionStreams } from '@partsbus/platform/bus/streams'
import { LATEST_BACKUP } from '@partsbus/contracts/administration/latest-times'
import { readLatestTime } from '@partsbus/platform/mongo/latest-time'
import { createLog } from '@partsbus/platform/process/log'
import { Binary, type Db, Decimal128, type Document, Long, MongoClient } from 'mongodb'
import { type ServiceName, serviceNames } from '@partsbus/contracts/diagnosis'
import { openTerminal } from '@partsbus/cli/terminal/terminal'
import { readManifest } from './backup-folder.js'
import { readPlans } from './backup-plans.js'
import { compareInstallation } from './compare-installation.js'
import { documentsPath, readDump } from './documents.js'
import { type BackupSource, makeBackup } from './make-backup.js'
import type { Manifest } from './manifest.js'
import type { Databases } from './open-databases.js'
import {
  assertKeyMatches,
  beginRestore,
  type RestoreRequest,
  restoreIntoFolder,
  restoreIntoServers,
} from './restore-backup.js'
import { describeStorage } from './stored-files.js'
import { checkContents, checkSums } from './verify-backup.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-backup-'))
const suffix = randomBytes(4).toString('hex')
const storage = join(folder, 'storage')
const image = 'ab12'
const terminal = openTerminal({ write: () => true }, { write: () => true })

let client: MongoClient
let nats: NatsServer
let gateway: Server
/** What the gateway was asked to set, in order. */
const maintenance: unknown[] = []
let isEndedByOthers = false
let source: BackupSource
let manifest: Manifest
const backup = join(folder, 'backup')

type Stored = Document & { _id: string | number }

const plans = readPlans()
function openCopy(name: string): Databases {
  return new Map(
    serviceNames.map((service) => {
      const db = client.db(`test_${name}_${service.replaceAll('-', '_')}_${suffix}`)
      return [service, { service, db, plan: plans[service] }]
    }),
  )
}
const opened = new Map<string, Databases>()
function databases(name: string): Databases {
  const found = opened.get(name) ?? openCopy(name)
  opened.set(name, found)
  return found
}
const databaseOf = (name: string, service: ServiceName) => databases(name).get(service)?.db as Db
const table = (name: string, service: ServiceName, collection: string) =>
  databaseOf(name, service).collection<Stored>(collection)

/** The counters of all services, like `catalog product`. */
async function counters(name: string): Promise<Record<string, number>> {
  const lists = serviceNames.map(async (service) => {
    const found = await databaseOf(name, service)
      .collection<{ _id: string; value: number }>('counters')
      .find()
      .toArray()
    return found.map(({ _id, value }) => [`${service} ${_id}`, value] as const)
  })
  return Object.fromEntries((await Promise.all(lists)).flat())
}
/** Names of those below a minimum. */
const behind = (found: Record<string, number>, minimum: Record<string, number>) =>
  Object.entries(minimum).flatMap(([name, least]) => ((found[name] ?? 0) < least ? [name] : []))

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  nats = await startNats()
  gateway = createServer((request, response) => {
    void handle(request.method ?? '', request).then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done))
  const { port } = gateway.address() as AddressInfo
  await fill()
  source = {
    env: { STORAGE_DRIVER: 'fs', STORAGE_PATH: storage },
    method: 'dump',
    databases: databases('origin'),
    url: '',
    admin: createAdminClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'x' }),
    secretsKey: randomBytes(32).toString('base64'),
    isKeyIncluded: false,
    waitMs: 20_000,
  }
})
afterAll(async () => {
  await nats.stop()
  for (const each of opened.values()) for (const { db } of each.values()) await db.dropDatabase()
  await client.close()
  gateway.closeAllConnections()
  await new Promise((done) => gateway.close(done))
  rmSync(folder, { recursive: true })
})

async function handle(method: string, body: AsyncIterable<Buffer>): Promise<object> {
  if (method !== 'PATCH') return { maintenance: isEndedByOthers ? null : (maintenance.at(-1) ?? null) }
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  const { maintenance: text } = JSON.parse(Buffer.concat(chunks).toString()) as { maintenance: string | null }
  maintenance.push(text)
  return { maintenance: text }
}

async function fill(): Promise<void> {
  mkdirSync(join(storage, 'ab'), { recursive: true })
  writeFileSync(join(storage, 'ab', image), 'bytes of an image')
  writeFileSync(join(storage, 'ab', `${image}.new`), 'half')
  const values = { erp_enabled: true, b2b_enabled: true, erp_storage_id: 1, maintenance: null }
  const tokens = { erp: { sha256: 'x', last4: 'abcd' }, b2b: { sha256: 'y', last4: 'efgh' } }
  await table('origin', 'administration', 'settings').insertOne({ _id: 'settings', rev: 7, values, tokens })
  await table('origin', 'administration', 'sessions').insertOne({ _id: 's', sha256: 'z' })
  await table('origin', 'administration', 'gateways').insertOne(processEntry('g'))
  await table('origin', 'catalog', 'processes').insertOne(processEntry('c'))
  await table('origin', 'catalog', 'counters').insertOne({ _id: 'product', value: 2_500 })
  await table('origin', 'catalog', 'media').insertOne({ _id: 1, sha256: image })
  await table('origin', 'catalog', 'schema_version').insertOne({ _id: 'schema', version: 3 })
  await table('origin', 'catalog', 'products').insertMany(
    Array.from({ length: 2_500 }, (_, index) => ({
      _id: `P-${index}`,
      id: index + 1,
      name: `Фильтр ${index}`,
      price: Decimal128.fromString('10.10'),
      big: Long.fromString('9007199254740993'),
      bytes: new Binary(Buffer.from([0, 255])),
      at: new Date(index),
      nested: { list: [1, null, { deep: true }], 'a b': '' },
    })),
  )
  await table('origin', 'stock', 'counters').insertOne({ _id: 'supplies', value: 2 })
  await table('origin', 'stock', 'storages').insertOne({ _id: 1 })
  await table('origin', 'stock', 'pick_up_points').insertOne({ _id: 1, storage_ids: [1] })
  await table('origin', 'stock', 'supplies').insertOne(supply(1, 1))
  await table('origin', 'pricing-import', 'import_tasks').insertOne({ _id: 1, status: 'processing' })
  await table('origin', 'supplier-search', 'brand_synonyms').insertOne({ _id: 1, canonical: 'A' })
}

/** Of a process that rests. */
const processEntry = (_id: string) => {
  const seen_at = new Date(Date.now() + 3_600_000)
  return { _id, seen_at, quiet_at: seen_at, busy: [], resumed: 1 }
}
const supply = (id: number, product_id: number) => ({
  _id: `1:1:${id}`,
  id,
  product_id,
  storage_id: 1,
  pick_up_point_id: 1,
})

function requestOf(changes: Partial<RestoreRequest> = {}): RestoreRequest {
  return { backup, manifest, env: {}, isReplacing: false, secretsKey: undefined, terminal, ...changes }
}
const serversOf = (name: string, bus?: { url: string }) => ({
  databases: databases(name),
  url: '',
  bus,
  folders: [['storage', join(folder, `storage-${name}`)]] as const,
})

describe('backup by dump', () => {
  it('pauses writes, and writes a complete folder', async () => {
    manifest = await makeBackup(source, backup, terminal)
    expect(maintenance).toEqual([expect.stringContaining('A backup is being made.'), null])
    expect(readdirSync(folder).sort()).toEqual(['backup', 'storage'])
    expect(await readManifest(backup)).toEqual(manifest)
    expect(manifest).toMatchObject({
      method: 'dump',
      are_counts_exact: true,
      storage: { driver: 'fs', objects: null, files: { count: 1, bytes: 17 } },
    })
    const { collections, counters, schema_version } =
      manifest.databases.find(({ service }) => service === 'catalog') ?? {}
    expect({ collections, counters, schema_version }).toEqual({
      collections: { counters: 1, media: 1, products: 2_500, schema_version: 1 },
      counters: { product: 2_500 },
      schema_version: 3,
    })
    expect(
      Object.keys(manifest.databases.find(({ service }) => service === 'administration')?.collections ?? {}),
    ).toEqual(['settings'])
  })

  it('refuses to overwrite', async () => {
    await expect(makeBackup(source, backup, terminal)).rejects.toThrow('exists already')
    expect(readdirSync(folder)).not.toContain('backup.partial')
  })

  it('refuses to write where another backup is being written', async () => {
    mkdirSync(join(folder, 'other.partial'))
    writeFileSync(join(folder, 'other.partial', 'half'), 'x')
    await expect(makeBackup(source, join(folder, 'other'), terminal)).rejects.toThrow('another backup is being written')
    expect(readdirSync(join(folder, 'other.partial'))).toEqual(['half'])
    rmSync(join(folder, 'other.partial'), { recursive: true })
  })

  it('records its moment for the gateway', async () => {
    const recorded = await readLatestTime(databaseOf('origin', 'administration'), LATEST_BACKUP)
    expect(recorded?.toISOString()).toBe(manifest.moment.until)
  })

  it('fails when somebody ends maintenance meanwhile', async () => {
    isEndedByOthers = true
    await expect(makeBackup(source, join(folder, 'late'), terminal)).rejects.toThrow('Maintenance has ended')
    isEndedByOthers = false
    expect(readdirSync(folder).sort()).toEqual(['backup', 'storage'])
  })

  it('names who is still at work', async () => {
    const processes = table('origin', 'catalog', 'processes')
    await processes.updateOne({ _id: 'c' }, { $set: { quiet_at: null, busy: ['full sync'] } })
    await expect(makeBackup({ ...source, waitMs: 0 }, join(folder, 'late'), terminal)).rejects.toThrow(
      'Still at work after 0 s: catalog (full sync).',
    )
    await processes.replaceOne({ _id: 'c' }, processEntry('c'))
    expect(maintenance.at(-1)).toBe(null)
    expect(readdirSync(folder).sort()).toEqual(['backup', 'storage'])
  })

  it('fails when a service runs and no gateway pauses it', async () => {
    const gateways = table('origin', 'administration', 'gateways')
    await gateways.deleteMany({})
    await expect(makeBackup(source, join(folder, 'late'), terminal)).rejects.toThrow(
      'Without a gateway, writes of catalog cannot be paused.',
    )
    await gateways.insertOne(processEntry('g'))
  })

  it('fails when a folder of files is missing', async () => {
    const env = { STORAGE_DRIVER: 'fs', STORAGE_PATH: join(folder, 'not-mounted') }
    await expect(makeBackup({ ...source, env }, join(folder, 'late'), terminal)).rejects.toThrow(
      'not-mounted, which does not exist.',
    )
  })

  it('needs an administrator while services run', async () => {
    const rootless = { ...source, admin: undefined }
    await expect(makeBackup(rootless, join(folder, 'late'), terminal)).rejects.toThrow('writes must be paused')
  })

  it('counts the objects of a bucket', async () => {
    const s3 = await startTestS3()
    try {
      const env = { STORAGE_DRIVER: 's3', ...s3.config }
      expect(await describeStorage(env)).toEqual({ driver: 's3', objects: 0 })
    } finally {
      await s3.close()
    }
  })
})

describe('verify', () => {
  it('finds nothing in a whole backup', async () => {
    expect(await checkSums(backup, manifest, () => undefined)).toEqual([])
    expect(await checkContents(backup, manifest, () => undefined)).toEqual([])
  })

  const products = () => documentsPath(databaseOf('origin', 'catalog').databaseName, 'products')
  it.each<[string, (copy: string) => string, string]>([
    [
      'a changed byte',
      (copy) => {
        const path = `files/storage/ab/${image}`
        writeFileSync(join(copy, path), 'Bytes of an image')
        return path
      },
      'differs from its checksum',
    ],
    [
      'a longer file',
      (copy) => {
        appendFileSync(join(copy, products()), 'x')
        return products()
      },
      'bytes, not',
    ],
    [
      'a missing file',
      (copy) => {
        rmSync(join(copy, products()))
        return products()
      },
      'is missing',
    ],
    [
      'a list that is cut off',
      (copy) => {
        writeFileSync(join(copy, 'files.ndjson'), '')
        return 'files.ndjson'
      },
      'has 0 bytes',
    ],
  ])('names %s', async (_case, damage, problem) => {
    const copy = join(folder, 'damaged')
    cpSync(backup, copy, { recursive: true })
    const path = damage(copy)
    const faults = await checkSums(copy, manifest, () => undefined)
    rmSync(copy, { recursive: true })
    expect(faults).toEqual([{ path, problem: expect.stringContaining(problem) }])
  })

  it('names a dump that is cut off before its checksum was made', async () => {
    const copy = join(folder, 'cut')
    cpSync(backup, copy, { recursive: true })
    const path = join(copy, products())
    writeFileSync(path, readFileSync(path).subarray(0, -100))
    const faults = await checkContents(copy, manifest, () => undefined)
    rmSync(copy, { recursive: true })
    expect(faults).toEqual([{ path: products(), problem: expect.stringContaining('cannot be read') }])
  })

  it('refuses a backup that was interrupted', async () => {
    mkdirSync(join(folder, 'half.partial'))
    await expect(readManifest(join(folder, 'half.partial'))).rejects.toThrow('is not complete')
    await expect(readManifest(join(folder, 'half'))).rejects.toThrow('is not complete')
    await expect(readManifest(folder)).rejects.toThrow('this is no backup')
    rmSync(join(folder, 'half.partial'), { recursive: true })
  })

  it('--against names what differs from an installation, field by field', async () => {
    const options = { sample: 10_000, onCompared: () => undefined }
    const compare = () => compareInstallation(backup, manifest, databases('origin'), options)
    const same = await compare()
    expect(same).toEqual({ counts: [], compared: expect.any(Number), differences: [], different: 0 })
    expect(same.compared).toBeGreaterThan(2_500)
    const stored = table('origin', 'catalog', 'products')
    await stored.updateOne({ _id: 'P-7' }, { $set: { big: Long.fromString('9007199254740992') } })
    await stored.deleteOne({ _id: 'P-8' })
    const { counts, differences } = await compare()
    await stored.updateOne({ _id: 'P-7' }, { $set: { big: Long.fromString('9007199254740993') } })
    expect(counts).toEqual([{ collection: 'catalog products', backup: 2_500, installation: 2_499 }])
    expect(differences).toEqual([
      { collection: 'catalog products', id: '{"value":"P-7"}', fields: ['big'] },
      { collection: 'catalog products', id: '{"value":"P-8"}', fields: 'missing' },
    ])
  })
})

describe('restore', () => {
  it('refuses another SECRETS_KEY, and accepts that of the backup among others', () => {
    const other = randomBytes(32).toString('hex')
    expect(() => assertKeyMatches(manifest, other)).toThrow('SECRETS_KEY lacks the key of the backup')
    assertKeyMatches(manifest, `${other},${source.secretsKey}`)
    assertKeyMatches(manifest, undefined)
  })

  it.each([
    ['gateway', 'administration', 'gateways'],
    ['administration', 'administration', 'processes'],
    ['stock', 'stock', 'processes'],
  ] as const)('refuses while a process of %s runs', async (service, owner, collection) => {
    const processes = table('busy', owner, collection)
    await processes.insertOne(processEntry('p'))
    await expect(restoreIntoServers(requestOf(), serversOf('busy'))).rejects.toThrow(
      `The services are running: ${service}.`,
    )
    await processes.deleteMany({})
  })

  it('refuses an installation with data', async () => {
    await table('used', 'stock', 'supplies').insertOne({ _id: 1 })
    await expect(restoreIntoServers(requestOf(), serversOf('used'))).rejects.toThrow(
      'The installation has data: supplies of stock. --replace deletes it first.',
    )
    expect(await table('used', 'stock', 'supplies').countDocuments()).toBe(1)
  })

  it('into a folder deletes nothing when a folder of files is not named', async () => {
    const target = join(folder, 'state')
    mkdirSync(`${target}.restoring`)
    writeFileSync(join(`${target}.restoring`, 'half'), 'x')
    await expect(restoreIntoFolder(requestOf(), target)).rejects.toThrow(
      'The backup has files of storage. Set STORAGE_PATH.',
    )
    expect(readdirSync(`${target}.restoring`)).toEqual(['half'])
    rmSync(`${target}.restoring`, { recursive: true })
  })

  it('restores everything, closes both APIs, ends tokens and sessions, and empties the bus', async () => {
    const log = createLog('test', 'silent')
    const bus = await connectBus({ url: nats.url, name: 'test', log })
    await provisionStreams(bus.nc, busLayout, 1)
    const manager = await jetstreamManager(bus.nc)
    // answered when the stream has stored it
    await bus.nc.request('jobs.catalog.media', '{}', { timeout: 60_000 })
    expect((await manager.streams.info('MEDIA')).state.messages).toBe(1)

    const restored = await restoreIntoServers(requestOf(), serversOf('copy', { url: nats.url }))
    expect(restored).toMatchObject({ files: 1, purged: ['EVENTS', 'MEDIA', 'IMPORTS', 'OBJ_uploads'] })
    expect((await manager.streams.info('MEDIA')).state.messages).toBe(0)
    await bus.close()

    const options = { sample: 10_000, onCompared: () => undefined }
    const compared = await compareInstallation(backup, manifest, databases('copy'), options)
    expect(compared).toMatchObject({ counts: [], different: 0 })
    expect(readFileSync(join(folder, 'storage-copy', 'ab', image), 'utf8')).toBe('bytes of an image')
    expect(await table('copy', 'administration', 'settings').findOne({})).toMatchObject({
      rev: 8,
      values: { erp_enabled: false, b2b_enabled: false, maintenance: null, erp_storage_id: 1 },
      tokens: { erp: null, b2b: null },
    })
    expect(await table('copy', 'administration', 'sessions').countDocuments()).toBe(0)
  })

  // rules.md#restored-ids
  it('a second restore gives no id of the first one again, not even of a kind that the backup lacks', async () => {
    const first = await counters('copy')
    expect(behind(first, { 'catalog product': 1_002_500, 'stock supplies': 1_000_002 })).toEqual([])
    await table('copy', 'pricing-import', 'counters').insertOne({ _id: 'tasks', value: 5_000_000 })
    // its counter is lost
    await table('copy', 'catalog', 'media').insertOne({ _id: 6_000_000 })
    // the catalog is older than the stock
    await table('copy', 'stock', 'supplies').insertOne({ _id: 99, product_id: 7_000_000 })
    // interrupted once
    await beginRestore(databases('copy'), manifest, true)
    await restoreIntoServers(requestOf(), serversOf('copy'))
    const used = {
      ...first,
      'pricing-import tasks': 5_000_000,
      'catalog media': 6_000_000,
      'catalog product': 7_000_000,
    }
    expect(behind(await counters('copy'), used)).toEqual([])
  })

  it('of an old backup skips a million ids for each day since (rules.md#restored-ids)', async () => {
    await table('days', 'stock', 'counters').insertOne({ _id: 'supplies', value: 7 })
    const until = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const old = { ...manifest, moment: { ...manifest.moment, until } }
    await finishRestore(databases('days'), old, new Map())
    const { 'stock supplies': raised = 0 } = await counters('days')
    // and a few for the seconds since `until`
    expect([raised >= 4_000_007, raised < 4_010_000]).toEqual([true, true])
  })

  it('finishes when it is run again after an interruption', async () => {
    await table('again', 'stock', 'supplies').insertOne({ _id: 1 })
    await beginRestore(databases('again'), manifest, true)
    const { name } = manifest.databases.find(({ service }) => service === 'catalog') ?? { name: '' }
    const half = readDump(backup, documentsPath(name, 'counters'))
    const catalog = databases('again').get('catalog') as StoredDatabase
    await loadDocuments(catalog, 'counters', half, () => undefined)
    const another = { ...manifest, id: '3d2f6ab0-4a0e-4d3e-9a52-2f7d3b0c8c11' }
    await expect(restoreIntoServers(requestOf({ manifest: another }), serversOf('again'))).rejects.toThrow(
      'an unfinished restore of another backup',
    )
    await restoreIntoServers(requestOf(), serversOf('again'))
    expect(await table('again', 'catalog', 'products').countDocuments()).toBe(2_500)
    expect(await table('again', 'stock', 'supplies').countDocuments()).toBe(1)
    expect(behind(await counters('again'), { 'catalog product': 1_002_500 })).toEqual([])
    // the mark is gone, so the data is protected again
    await expect(restoreIntoServers(requestOf(), serversOf('again'))).rejects.toThrow('The installation has data')
  })
})
