import type { StoredMedia } from '@partsbus/contracts/media'
import type { CounterStore } from '@partsbus/platform/counter-store'
import { isDuplicateKey } from '@partsbus/platform/mongo-error'
import { ensureIndexes } from '@partsbus/platform/mongo-index'
import type { Collection, Db } from 'mongodb'

/** A stored picture: its bytes are in the file driver under `sha256`. Never changed once written. */
export interface MediaRecord {
  _id: number
  sha256: string
  mime_type: StoredMedia['mime_type']
  size: number
  width: number
  height: number
  file_name: string
  created_at: Date
}

export type NewMedia = Omit<MediaRecord, '_id' | 'created_at'>

const REMEMBERED = 2_000

export class MediaStore {
  private readonly media: Collection<MediaRecord>
  private readonly counters: CounterStore
  /** records never change, so a ranged read need not look its picture up again */
  private readonly recent = new Map<number, MediaRecord>()

  constructor(db: Db, counters: CounterStore) {
    this.media = db.collection<MediaRecord>('media')
    this.counters = counters
  }

  async prepare(): Promise<void> {
    await ensureIndexes(this.media, [{ name: 'sha256_unique', key: { sha256: 1 }, options: { unique: true } }])
  }

  async find(id: number): Promise<MediaRecord | undefined> {
    const known = this.recent.get(id)
    if (known) return known
    const record = await this.media.findOne({ _id: id })
    return record ? this.remember(record) : undefined
  }

  async findMany(ids: number[]): Promise<Map<number, MediaRecord>> {
    const unknown = ids.filter((id) => !this.recent.has(id))
    if (unknown.length > 0) for (const record of await this.media.find({ _id: { $in: unknown } }).toArray()) this.remember(record)
    const found = ids.flatMap((id) => this.recent.get(id) ?? [])
    return new Map(found.map((record) => [record._id, record]))
  }

  async findByHash(sha256: string): Promise<MediaRecord | undefined> {
    return (await this.media.findOne({ sha256 })) ?? undefined
  }

  /** Records a picture whose bytes are stored already. The same content has one record, whoever comes first. */
  async add(media: NewMedia): Promise<MediaRecord> {
    const record = { _id: await this.counters.take('media', 1), ...media, created_at: new Date() }
    try {
      await this.media.insertOne(record)
      return this.remember(record)
    } catch (error) {
      const first = isDuplicateKey(error) ? await this.findByHash(media.sha256) : undefined
      if (!first) throw error
      return first
    }
  }

  private remember(record: MediaRecord): MediaRecord {
    if (this.recent.size >= REMEMBERED) this.recent.delete(this.recent.keys().next().value ?? 0)
    this.recent.set(record._id, record)
    return record
  }
}
