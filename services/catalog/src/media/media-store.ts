import type { StoredMedia } from '@partsbus/contracts/media'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
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
    if (unknown.length > 0)
      for (const record of await this.media.find({ _id: { $in: unknown } }).toArray()) this.remember(record)
    const found = ids.flatMap((id) => this.recent.get(id) ?? [])
    return new Map(found.map((record) => [record._id, record]))
  }

  /** @returns those that are stored, by SHA-256 */
  async findByHashes(hashes: string[]): Promise<Map<string, MediaRecord>> {
    const found = hashes.length === 0 ? [] : await this.media.find({ sha256: { $in: hashes } }).toArray()
    return new Map(found.map((record) => [record.sha256, this.remember(record)]))
  }

  /**
   * Records pictures whose bytes are stored already. The same content has one record, whoever comes first.
   * @param added each of another content
   */
  async add(added: NewMedia[]): Promise<Map<string, MediaRecord>> {
    if (added.length === 0) return new Map()
    const first = await this.counters.allocate('media', added.length)
    const created_at = new Date()
    const records = added.map((media, at) => ({ _id: first + at, ...media, created_at }))
    await collectDuplicates(() => this.media.insertMany(records, { ordered: false }))
    return this.findByHashes(added.map((media) => media.sha256))
  }

  private remember(record: MediaRecord): MediaRecord {
    if (this.recent.size >= REMEMBERED) this.recent.delete(this.recent.keys().next().value ?? 0)
    this.recent.set(record._id, record)
    return record
  }
}
