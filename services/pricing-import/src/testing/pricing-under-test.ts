import { randomBytes, randomUUID } from 'node:crypto'
import {
  UPLOAD_BUCKET,
  acceptUpload,
  createPriceList,
  findOffers,
  getImportTask,
  listVersions,
} from '@partsbus/contracts/pricing-import/commands'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { getStorage } from '@partsbus/contracts/stock/commands'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { Command, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { NewPriceList } from '@partsbus/contracts/pricing-import/price-list'
import { busHeaders } from '@partsbus/contracts/message'
import { type CallSettings, defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { articleKey } from '@partsbus/contracts/article'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import type { RunningService } from '@partsbus/platform/process/service'
import { jetstream } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { headers } from '@nats-io/transport-node'
import type { Type } from '@nestjs/common'
import { type Db, MongoClient } from 'mongodb'
import type { PricingImportConfig } from '../config.js'
import { Cleanup } from '../cleanup.js'
import { FileStore } from '../files/file-store.js'
import { SkippedRowStore } from '../import-tasks/skipped-row-store.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { SourceRuns } from '../sources/source-runs.js'
import { VersionStore } from '../versions/version-store.js'
import { startPricingImport } from '../start.js'

/** A storage that the stand-in of the stock service knows. */
export const STORAGE = 7

/** The service on a bus and a database of its own, and a stock service that knows one storage. */
export class PricingUnderTest {
  readonly bus: NatsServer
  readonly connection: BusConnection
  readonly client: MongoClient
  readonly db: Db
  readonly config: PricingImportConfig
  readonly services: Array<RunningService> = []
  private readonly calls: BusClient
  /** of the fake gateway; undefined: it answers UNAVAILABLE */
  settings: CallSettings | undefined = defaultCallSettings

  constructor(bus: NatsServer, connection: BusConnection, client: MongoClient, config: PricingImportConfig) {
    this.bus = bus
    this.connection = connection
    this.client = client
    this.config = config
    this.db = client.db(config.MONGODB_DATABASE)
    this.calls = new BusClient(connection, createMetrics('test'))
  }

  /** A provider of the first service. */
  get<T>(token: Type<T> | symbol): T {
    const [service] = this.services
    if (!service) throw new Error('no service runs')
    return service.app.get(token)
  }

  get stores() {
    return {
      lists: this.get(PriceListStore),
      versions: this.get(VersionStore),
      tasks: this.get(TaskStore),
      skippedRows: this.get(SkippedRowStore),
      offers: this.get(OfferStore),
      files: this.get(FileStore),
    }
  }

  get sources(): SourceRuns {
    return this.get(SourceRuns)
  }

  clean(): Promise<void> {
    return this.get(Cleanup).clean()
  }

  async startService(changes: Partial<PricingImportConfig> = {}): Promise<RunningService> {
    const service = await startPricingImport({ ...this.config, ...changes })
    this.services.push(service)
    return service
  }

  /** Variables for the service as a process of its own. */
  env(): NodeJS.ProcessEnv {
    const { SECRETS_KEY, SOURCE_ALLOWED_HOSTS, SOURCE_CERTIFICATES, ...rest } = this.config
    const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    return {
      PATH: process.env['PATH'],
      ...plain,
      SECRETS_KEY: SECRETS_KEY.map((key) => key.toString('hex')).join(','),
      SOURCE_ALLOWED_HOSTS: SOURCE_ALLOWED_HOSTS.join(','),
      SOURCE_CERTIFICATES: SOURCE_CERTIFICATES.join('\n'),
    }
  }

  ask<C extends Command>(command: C, body: RequestOf<C>, settings: Partial<CallSettings> = {}): Promise<ReplyOf<C>> {
    return this.calls.request(command, body, { timeoutMs: 60_000, settings: { ...defaultCallSettings, ...settings } })
  }

  newList(fields: Partial<NewPriceList> = {}): Promise<ReplyOf<typeof createPriceList>> {
    return this.ask(createPriceList, { name: 'List', storage_id: STORAGE, ...fields })
  }

  /** The bytes that a command answers. */
  async read<C extends Command>(command: C, body: RequestOf<C>): Promise<Buffer> {
    return Buffer.from(await this.calls.forward(command, Buffer.from(JSON.stringify(body))))
  }

  /** Puts bytes into the bucket, as the gateway does. @returns the request's file fields */
  async put(
    content: string | Uint8Array,
    file_name = 'price.csv',
  ): Promise<{ object: string; file_name: string; size: number }> {
    const bytes = Buffer.from(content)
    const store = await new Objm(jetstream(this.connection.nc)).create(UPLOAD_BUCKET.name, {
      ttl: UPLOAD_BUCKET.ttlMs * 1_000_000,
      max_bytes: UPLOAD_BUCKET.maxBytes,
    })
    const object = randomUUID()
    await store.putBlob({ name: object }, bytes)
    return { object, file_name, size: bytes.length }
  }

  /** Uploads a file. @returns the task's id */
  async upload(price_list_id: number, content: string | Uint8Array, file_name?: string): Promise<number> {
    return (await this.ask(acceptUpload, { price_list_id, ...(await this.put(content, file_name)) })).task_id
  }

  task(id: number): Promise<AdminImportTask> {
    return this.ask(getImportTask, { id })
  }

  /** Follows a task to its end; every reading must obey the equation of the counters. */
  async finish(id: number, deadlineMs = 100_000): Promise<AdminImportTask> {
    return this.until(async () => {
      const task = await this.task(id)
      if (task.imported_rows + task.skipped_rows !== task.processed_rows || task.processed_rows > task.total_rows)
        throw new Error(`counters: ${JSON.stringify(task)}`)
      return task.status === 'completed' || task.status === 'failed' ? task : undefined
    }, deadlineMs)
  }

  async import(listId: number, content: string | Uint8Array, file_name?: string): Promise<AdminImportTask> {
    return this.finish(await this.upload(listId, content, file_name))
  }

  /** Offers of an article as the search gets them. */
  async offers(article: string): Promise<ReplyOf<typeof findOffers>['offers']> {
    return (await this.ask(findOffers, { storage_ids: [STORAGE], article_key: articleKey(article) })).offers
  }

  /** Names of the offers of an article. */
  async namesOf(article: string): Promise<string[]> {
    return (await this.offers(article)).map(({ name }) => name)
  }

  /** Versions of a list, the most recently published first; the active one has a `*`. */
  async versionsOf(id: number): Promise<string[]> {
    const { versions } = await this.ask(listVersions, { id })
    return versions.map(({ version, is_active }) => (is_active ? `${version}*` : String(version)))
  }

  /** Keeps workers off a list while `work` runs, as an import of it in another process does. */
  async withListLocked<T>(list: number, work: () => Promise<T>): Promise<T> {
    const lists = this.db.collection<{ _id: number }>('price_lists')
    const update = (lease_owner: string, lease_until: Date) =>
      lists.updateOne({ _id: list }, { $set: { lease_owner, lease_until } })
    await update('other', new Date(Date.now() + 600_000))
    try {
      return await work()
    } finally {
      await update('', new Date(0))
    }
  }

  /** Stops the next import when it counts its rows, right before the switch. */
  pauseBeforeSwitch(): { reached: Promise<void>; release(): void } {
    const { offers } = this.stores
    const count = offers.count.bind(offers)
    const reached = gate()
    const released = gate()
    offers.count = async (version) => {
      offers.count = count
      reached.open()
      await released.opened
      return count(version)
    }
    return { reached: reached.opened, release: released.open }
  }

  /** Asks until there is an answer. */
  async until<T>(look: () => Promise<T | undefined>, deadlineMs = 100_000): Promise<T> {
    const end = Date.now() + deadlineMs
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error('the awaited state was not reached')
      await new Promise((done) => setTimeout(done, 20))
    }
  }

  async stopServices(): Promise<void> {
    for (const service of this.services.splice(0)) await service.stop()
  }

  async stop(): Promise<void> {
    await this.stopServices()
    await this.connection.nc.close()
    await this.db.dropDatabase()
    await this.client.close()
    await this.bus.stop()
  }
}

export async function preparePricing(changes: Partial<PricingImportConfig> = {}): Promise<PricingUnderTest> {
  const bus = await startNats()
  const client = await new MongoClient(testMongodbUrl()).connect()
  const connection = await connectBus({ url: bus.url, name: 'test', log: createLog('test', 'silent') })
  connection.nc.subscribe(getStorage.subject, {
    callback: (_error, message) => {
      const { id } = message.json<{ id: number }>()
      if (id === STORAGE) {
        message.respond(JSON.stringify({ id, name: 'Supplier', is_active: true, supplier: { kind: 'price-list' } }))
        return
      }
      const failed = headers()
      failed.set(busHeaders.error, 'NOT_FOUND')
      message.respond(JSON.stringify({ code: 'NOT_FOUND', message: 'Not found.' }), { headers: failed })
    },
  })
  const pricing = new PricingUnderTest(bus, connection, client, {
    MONGODB_URL: testMongodbUrl(),
    MONGODB_DATABASE: `test_pricing_${randomUUID().slice(0, 8)}`,
    MONGODB_POOL_SIZE: 10,
    NATS_URL: bus.url,
    MANAGEMENT_PORT: 0,
    MANAGEMENT_HOST: '127.0.0.1',
    LOG_LEVEL: process.env['TEST_LOG'] === '1' ? 'info' : 'silent',
    SECRETS_KEY: [Buffer.from(randomBytes(32))],
    S3_REGION: 'us-east-1',
    S3_PREFIX: '',
    S3_FORCE_PATH_STYLE: true,
    IMPORT_PARALLEL: 2,
    IMPORT_LEASE_MS: 3_000,
    IMPORT_BATCH_ROWS: 1_000,
    IMPORT_SAVE_MS: 250,
    IMPORT_REMOVE_AFTER_MS: 60_000,
    SOURCE_ALLOWED_HOSTS: [],
    SOURCE_CERTIFICATES: [],
    ...changes,
  })
  connection.nc.subscribe(currentSettings.subject, {
    callback: (_error, message) => {
      if (pricing.settings) {
        message.respond(JSON.stringify(pricing.settings))
        return
      }
      const failed = headers()
      failed.set(busHeaders.error, 'UNAVAILABLE')
      message.respond(JSON.stringify({ code: 'UNAVAILABLE', message: 'Service temporarily unavailable.' }), {
        headers: failed,
      })
    },
  })
  return pricing
}

/** The same, with one service running. */
export async function startPricing(changes: Partial<PricingImportConfig> = {}): Promise<PricingUnderTest> {
  const pricing = await preparePricing(changes)
  await pricing.startService()
  return pricing
}

function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { opened, open }
}
