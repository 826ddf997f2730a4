import { randomUUID } from 'node:crypto'
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import { streams } from '@partsbus/contracts/streams'
import { testMongodbUrl, testNatsUrl } from '@partsbus/local-stack/test-servers'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { platformConfig, readConfig } from '@partsbus/platform/process/config'
import { type Runtime, startRuntime } from '@partsbus/platform/process/runtime'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { mediaConfig, type MediaTimes } from '../config.js'
import { Downloader } from '../fetch/downloader.js'
import { ImageFetcher } from '../image-fetcher.js'
import { ItemMediaStore } from '../item-media-store.js'
import { MediaEvents } from '../media-events.js'
import { MediaJobStore } from '../media-job-store.js'
import { MediaJobs } from '../media-jobs.js'
import { MediaNudges, type MediaQueue } from '../media-nudges.js'
import { type MediaRequest, MediaRequests } from '../media-requests.js'
import type { AttachedMedia, MediaSet } from '../media-set.js'
import { MediaSetStore } from '../media-set-store.js'
import { MediaStore, openMediaFiles } from '../media-store.js'
import { MediaWorkLoop } from '../media-work-loop.js'
import { MediaWorker } from '../media-worker.js'
import { Media } from '../media.js'
import { SetSettler } from '../set-settler.js'

/** Durations for tests: seconds become fractions of a second. */
export const quickTimes: MediaTimes = {
  leaseMs: 900,
  sweepMs: 60,
  graceMs: 100,
  backoffMs: [100, 200],
  deadlineMs: 20_000,
  deadHostMs: 300,
}

export interface MediaOptions {
  times?: Partial<MediaTimes>
  queue?: MediaQueue
}

/** The media providers of one process. */
export interface MediaProcess {
  runtime: Runtime
  sets: MediaSetStore
  items: ItemMediaStore
  files: FileDriver
  requests: MediaRequests
  jobs: MediaJobs
  media: Media
  start(): void
  stop(): Promise<void>
}

interface Item {
  _id: string
  rev: number
  media: AttachedMedia[]
  media_rev: number
  updated_at: Date
}

/** The media module over a real database and bus, in one or more processes on one database. */
export class MediaBench {
  readonly database: string
  readonly queue = { name: `MEDIA_${randomUUID().slice(0, 8)}`, subject: `jobs.test.${randomUUID().slice(0, 8)}` }
  private readonly openedAt = new Date(Date.now() - 1_000).toISOString()
  private readonly opened: MediaProcess[] = []
  private readonly owner: Promise<Runtime>

  constructor(name: string) {
    this.database = `test_${name}_${randomUUID().slice(0, 8)}`
    this.owner = this.openOwner()
  }

  /** Opens the media providers of one more process; `start` starts its worker. */
  async open(options: MediaOptions = {}, env: Record<string, string> = {}): Promise<MediaProcess> {
    const runtime = await this.startRuntime()
    const { log, bus } = runtime
    const { db } = runtime.mongo
    const times = { ...quickTimes, ...options.times }
    const config = readConfig(mediaConfig, env)
    const files = await openMediaFiles(db, config).catch(async (error: unknown) => {
      await runtime.close()
      throw error
    })
    const counters = new CounterStore(db.collection('counters'))
    const [sets, media, items] = [
      new MediaSetStore(db, counters),
      new MediaStore(db, counters, files),
      new ItemMediaStore(db),
    ]
    await Promise.all([sets.onModuleInit(), media.onModuleInit()])
    const downloader = new Downloader({
      connectionsPerHost: config.MEDIA_DOWNLOADS_PER_HOST,
      deadlineMs: times.deadlineMs,
      deadHostMs: times.deadHostMs,
    })
    const fetcher = new ImageFetcher(downloader, media, runtime.metrics, config, log)
    const settler = new SetSettler(sets, items, media, new MediaEvents(sets, bus, log, times), times)
    const work = new PausableWork()
    work.resume()
    const worker = new MediaWorker(sets, media, fetcher, settler, work, log, times)
    const nudges = new MediaNudges(bus, options.queue ?? this.queue, log)
    const loop = new MediaWorkLoop(worker, nudges, sets, work, bus, log, times)
    const opened = {
      runtime,
      sets,
      items,
      files,
      requests: new MediaRequests(sets, counters, nudges, settler, items),
      jobs: new MediaJobs(new MediaJobStore(db), nudges),
      media: new Media(media, files),
      start: () => loop.start(),
      stop: () => loop.stop(),
    }
    this.opened.push(opened)
    return opened
  }

  /** Stores a product as the products module does. */
  async product(erpId: string, media: AttachedMedia[] = []): Promise<void> {
    await (await this.products()).insertOne({ _id: erpId, rev: 1, media, media_rev: 0, updated_at: new Date(0) })
  }

  async products() {
    return (await this.owner).mongo.db.collection<Item>('products')
  }

  async sets() {
    return (await this.owner).mongo.db.collection<MediaSet>('media_sets')
  }

  async db() {
    return (await this.owner).mongo.db
  }

  async mediaOf(erpId: string): Promise<AttachedMedia[]> {
    return (await (await this.products()).findOne({ _id: erpId }))?.media ?? []
  }

  async namesOf(erpId: string): Promise<string[]> {
    return (await this.mediaOf(erpId)).map((media) => media.file_name)
  }

  /** Events of one item on the stream, the oldest first. */
  async eventsOf(
    erpId: string,
  ): Promise<Array<{ subject: string; batch: string; media_ids?: number[]; urls?: string[] }>> {
    const { nc } = (await this.owner).bus
    const consumer = await jetstream(nc).consumers.get(streams.events.name, {
      filter_subjects: [mediaAttached.subject, mediaFailed.subject],
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: this.openedAt,
    })
    const count = (await consumer.info()).num_pending
    const found = []
    if (count > 0) {
      for await (const message of await consumer.fetch({ max_messages: count, expires: 2_000 })) {
        const event = message.json<{ erp_id: string; batch: string; media_ids?: number[]; urls?: string[] }>()
        if (event.erp_id === erpId) found.push({ ...event, subject: message.subject })
      }
    }
    await consumer.delete()
    return found
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((process) => process.stop()))
    const owner = await this.owner
    await jetstreamManager(owner.bus.nc)
      .then((manager) => manager.streams.delete(this.queue.name))
      .catch(() => undefined)
    await owner.mongo.db.dropDatabase()
    await Promise.all([...this.opened.map(({ runtime }) => runtime), owner].map((runtime) => runtime.close()))
  }

  private async openOwner(): Promise<Runtime> {
    const runtime = await this.startRuntime()
    await ensureStream(runtime.bus.nc, streams.events)
    return runtime
  }

  private startRuntime(): Promise<Runtime> {
    return startRuntime(
      'catalog',
      readConfig(platformConfig, {
        MONGODB_URL: testMongodbUrl(),
        MONGODB_DATABASE: this.database,
        NATS_URL: testNatsUrl(),
        MANAGEMENT_PORT: '0',
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      }),
    )
  }
}

/** Requests the images of one product. */
export function requestImages(
  process: MediaProcess,
  erpId: string,
  urls: string[],
  options: {
    waitMs?: number
    allowedHosts?: string[]
    itemRev?: number
    receivedAt?: Date
    isContested?: boolean
  } = {},
): ReturnType<MediaRequests['request']> {
  const request: MediaRequest = {
    item: 'product',
    erp_id: erpId,
    item_rev: options.itemRev ?? 1,
    isContested: options.isContested ?? false,
    images: urls.map((url, at) => ({ url, sort_order: at, is_main: at === 0 })),
  }
  return process.requests.request([request], {
    receivedAt: options.receivedAt ?? new Date(),
    allowedHosts: options.allowedHosts ?? ['127.0.0.1'],
    waitMs: options.waitMs ?? 15_000,
  })
}
