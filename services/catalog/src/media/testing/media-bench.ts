import { randomUUID } from 'node:crypto'
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { mediaAttached, mediaFailed } from '@partsbus/contracts/events'
import { streams } from '@partsbus/contracts/streams'
import { testMongodbUrl, testNatsUrl } from '@partsbus/local-stack/test-servers'
import { platformConfig, readConfig } from '@partsbus/platform/process/config'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { startRuntime, type Runtime } from '@partsbus/platform/process/runtime'
import { mediaConfig } from '../config.js'
import type { MediaHooks, MediaPart } from '../media-part.js'
import type { AttachedMedia, MediaSet } from '../media-set.js'
import { openMedia } from '../open-media.js'
import { requestMedia, type MediaWish } from '../request-media.js'

/** Durations of a test: what takes seconds takes a fraction of one. */
export const quickTimes = {
  leaseMs: 900,
  sweepMs: 60,
  graceMs: 100,
  backoffMs: [100, 200],
  deadlineMs: 20_000,
  deadHostMs: 300,
}

interface Item {
  _id: string
  rev: number
  media: AttachedMedia[]
  media_rev: number
  updated_at: Date
}

/** Pictures over a real database and bus: parts of one or more processes on one database. */
export class MediaBench {
  readonly database: string
  readonly queue = { name: `MEDIA_${randomUUID().slice(0, 8)}`, subject: `jobs.test.${randomUUID().slice(0, 8)}` }
  private readonly openedAt = new Date(Date.now() - 1_000).toISOString()
  private readonly parts: Runtime[] = []
  private readonly opened: MediaPart[] = []
  private readonly owner: Promise<Runtime>

  constructor(name: string) {
    this.database = `test_${name}_${randomUUID().slice(0, 8)}`
    this.owner = this.openOwner()
  }

  /** One more process's share. */
  async open(hooks: MediaHooks = {}, env: Record<string, string> = {}): Promise<MediaPart> {
    const parts = await this.startRuntime()
    this.parts.push(parts)
    const media = await openMedia(parts, parts.mongo.db, readConfig(mediaConfig, env), {
      queue: this.queue,
      ...hooks,
      times: { ...quickTimes, ...hooks.times },
    })
    this.opened.push(media)
    return media
  }

  /** Creates a product as the catalog's other half does. */
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
    await Promise.all(this.opened.map((media) => media.stop()))
    const owner = await this.owner
    await jetstreamManager(owner.bus.nc)
      .then((manager) => manager.streams.delete(this.queue.name))
      .catch(() => undefined)
    await owner.mongo.db.dropDatabase()
    await Promise.all([...this.parts, owner].map((parts) => parts.close()))
  }

  private async openOwner(): Promise<Runtime> {
    const parts = await this.startRuntime()
    await ensureStream(parts.bus.nc, streams.events)
    return parts
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

/** Asks for pictures of one product. */
export function ask(
  media: MediaPart,
  erpId: string,
  urls: string[],
  options: { waitMs?: number; allowedHosts?: string[] } = {},
): ReturnType<typeof requestMedia> {
  const wish: MediaWish = {
    item: 'product',
    erp_id: erpId,
    images: urls.map((url, at) => ({ url, sort_order: at, is_main: at === 0 })),
  }
  return requestMedia(media, [wish], {
    allowedHosts: options.allowedHosts ?? ['127.0.0.1'],
    waitMs: options.waitMs ?? 15_000,
  })
}

/** Waits for a state. @throws after `ms` */
export async function until<T>(read: () => Promise<T>, holds: (state: T) => boolean, ms = 15_000): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const state = await read()
    if (holds(state)) return state
    if (performance.now() > end) throw new Error(`not reached in ${ms} ms; it is ${JSON.stringify(state)}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}
