import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import { type FileLayout, openFileDrivers } from '@partsbus/file-store/open-file-drivers'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { LRUCache } from 'lru-cache'
import { type Collection, Db } from 'mongodb'
import type { MediaConfig } from './config.js'

/** The `FileDriver` of the images. */
export const MEDIA_FILES = Symbol('media files')

/** An image is named by the SHA-256 of its bytes. */
const LAYOUT: FileLayout = { bucket: 'media', chunkDigits: 1, folder: '', levels: 2 }

export async function openMediaFiles(db: Db, config: MediaConfig): Promise<FileDriver> {
  const drivers = await openFileDrivers(db, config, LAYOUT)
  return drivers.get(drivers.current)
}

/** A stored image, whose bytes the file driver has under `sha256`. Records never change. */
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

/** The files may be in the database of the service. */
export const mediaFiles = {
  provide: MEDIA_FILES,
  inject: [Db, CONFIG],
  useFactory: openMediaFiles,
}

const MAX_CACHED = 2_000

@Injectable()
export class MediaStore implements OnModuleInit {
  private readonly media: Collection<MediaRecord>
  private readonly cache = new LRUCache<number, MediaRecord>({ max: MAX_CACHED })

  constructor(
    db: Db,
    private readonly counters: CounterStore,
  ) {
    this.media = db.collection<MediaRecord>('media')
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.media, [{ name: 'sha256_unique', key: { sha256: 1 }, options: { unique: true } }])
    await this.counters.startAbove('media', () => highestId(this.media))
  }

  async get(id: number): Promise<MediaRecord | undefined> {
    const known = this.cache.get(id)
    if (known) return known
    const record = await this.media.findOne({ _id: id })
    return record ? this.addToCache(record) : undefined
  }

  async getMany(ids: number[]): Promise<Map<number, MediaRecord>> {
    const missing = ids.filter((id) => !this.cache.has(id))
    if (missing.length > 0)
      for (const record of await this.media.find({ _id: { $in: missing } }).toArray()) this.addToCache(record)
    const found = ids.flatMap((id) => this.cache.get(id) ?? [])
    return new Map(found.map((record) => [record._id, record]))
  }

  /** @returns the stored ones by SHA-256 */
  async findByHashes(hashes: string[]): Promise<Map<string, MediaRecord>> {
    const found = hashes.length === 0 ? [] : await this.media.find({ sha256: { $in: hashes } }).toArray()
    return new Map(found.map((record) => [record.sha256, this.addToCache(record)]))
  }

  /**
   * Adds records of images whose bytes are stored already. The same content has one record, even if two processes
   * add it.
   * @param added no two of the same content
   * @returns the records by SHA-256
   */
  async add(added: NewMedia[]): Promise<Map<string, MediaRecord>> {
    if (added.length === 0) return new Map()
    const first = await this.counters.allocate('media', added.length)
    const created_at = new Date()
    const records = added.map((media, at) => ({ _id: first + at, ...media, created_at }))
    await collectDuplicates(() => this.media.insertMany(records, { ordered: false }))
    return this.findByHashes(added.map((media) => media.sha256))
  }

  private addToCache(record: MediaRecord): MediaRecord {
    this.cache.set(record._id, record)
    return record
  }
}
