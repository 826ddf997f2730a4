import { createHash } from 'node:crypto'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import { type FileLayout, type OpenOptions, openFileDrivers } from '@partsbus/file-store/open-file-drivers'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { LRUCache } from 'lru-cache'
import { type Collection, Db } from 'mongodb'
import type { MediaConfig } from './config.js'
import type { DownloadedImage } from './fetch/download-result.js'
import { mediaFileName } from './fetch/file-name.js'

/** The `FileDriver` of the images. */
export const MEDIA_FILES = Symbol('media files')

/** An image is named by the SHA-256 of its bytes. */
const LAYOUT: FileLayout = { bucket: 'media', chunkDigits: 1, folder: '', levels: 2 }

export async function openMediaFiles(db: Db, config: MediaConfig, options?: OpenOptions): Promise<FileDriver> {
  const drivers = await openFileDrivers(db, config, LAYOUT, undefined, options)
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

type NewMedia = Omit<MediaRecord, '_id' | 'created_at'>

/** The result of the last download of a URL: an unchanged image is not downloaded again. */
export interface MediaSource {
  /** SHA-256 of the URL: URLs may be longer than a key may be */
  _id: string
  /** URL after redirects; the validators belong to it */
  final_url: string
  etag: string | null
  last_modified: string | null
  sha256: string
  media_id: number
}

/** A downloaded image, and what its URL gave the last time. */
export interface FetchedImage {
  url: string
  download: DownloadedImage
  sha256: string
  source: MediaSource | undefined
  /** 0 until it is stored */
  mediaId: number
}

export function fetchedImage(url: string, download: DownloadedImage, source: MediaSource | undefined): FetchedImage {
  return { url, download, source, sha256: createHash('sha256').update(download.bytes).digest('hex'), mediaId: 0 }
}

/** The files may be in the database of the service. */
export const mediaFiles = {
  provide: MEDIA_FILES,
  inject: [Db, CONFIG],
  useFactory: openMediaFiles,
}

const MAX_CACHED = 2_000

/** Downloaded images, each content once (rules.md#images-stored-once), and what each URL gave. */
@Injectable()
export class MediaStore implements OnModuleInit {
  private readonly media: Collection<MediaRecord>
  private readonly sources: Collection<MediaSource>
  private readonly cache = new LRUCache<number, MediaRecord>({ max: MAX_CACHED })

  constructor(
    db: Db,
    private readonly counters: CounterStore,
    @Inject(MEDIA_FILES) private readonly files: FileDriver,
  ) {
    this.media = db.collection<MediaRecord>('media')
    this.sources = db.collection<MediaSource>('media_sources')
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
    const found = new Map(ids.flatMap((id) => this.cache.get(id) ?? []).map((record) => [record._id, record]))
    const missing = ids.filter((id) => !found.has(id))
    // not by way of the cache, which may have room for fewer
    if (missing.length > 0)
      for (const record of await this.media.find({ _id: { $in: missing } }).toArray())
        found.set(record._id, this.addToCache(record))
    return found
  }

  /** What the URLs gave the last time, by URL. */
  async findSources(urls: string[]): Promise<Map<string, MediaSource>> {
    const byId = new Map(urls.map((url) => [sourceId(url), url]))
    const found = await this.sources.find({ _id: { $in: [...byId.keys()] } }).toArray()
    return new Map(found.map((source) => [byId.get(source._id) ?? '', source]))
  }

  /**
   * Stores the images that are not stored yet and sets their `mediaId`. The bytes are written first: a process that is
   * killed in between leaves bytes that the same content finds again, never a record without bytes.
   */
  async store(images: FetchedImage[]): Promise<void> {
    const byHash = new Map(images.map((image) => [image.sha256, image]))
    const records = await this.findByHashes([...byHash.keys()])
    const added = [...byHash.values()].filter(({ sha256 }) => !records.has(sha256))
    if (added.length > 0) {
      await this.files.write(added.map(({ sha256, download }) => ({ name: sha256, bytes: download.bytes })))
      const written = await this.add(
        added.map(({ url, sha256, download: { image, bytes } }) => ({
          sha256,
          ...image,
          size: bytes.length,
          file_name: mediaFileName(url, image.mime_type),
        })),
      )
      for (const [sha256, record] of written) records.set(sha256, record)
    }
    for (const image of images) {
      const record = records.get(image.sha256)
      if (!record) throw new Error(`media record of ${image.sha256} not stored`)
      image.mediaId = record._id
    }
    await this.saveSources(images)
  }

  /** @returns the stored ones by SHA-256 */
  private async findByHashes(hashes: string[]): Promise<Map<string, MediaRecord>> {
    const found = hashes.length === 0 ? [] : await this.media.find({ sha256: { $in: hashes } }).toArray()
    return new Map(found.map((record) => [record.sha256, this.addToCache(record)]))
  }

  /**
   * Adds records of images whose bytes are stored already. The same content has one record, even if two processes
   * add it.
   * @param added no two of the same content
   * @returns the records by SHA-256
   */
  private async add(added: NewMedia[]): Promise<Map<string, MediaRecord>> {
    if (added.length === 0) return new Map()
    const first = await this.counters.allocate('media', added.length)
    const created_at = new Date()
    const records = added.map((media, at) => ({ _id: first + at, ...media, created_at }))
    await collectDuplicates(() => this.media.insertMany(records, { ordered: false }))
    return this.findByHashes(added.map((media) => media.sha256))
  }

  private async saveSources(images: FetchedImage[]): Promise<void> {
    const changed = images
      .map(({ url, sha256, mediaId, source, download: { final_url, etag, last_modified } }) => ({
        url,
        source,
        now: { final_url, etag, last_modified, sha256, media_id: mediaId },
      }))
      .filter(({ source, now }) => !source || !isSameSource(source, now))
    if (changed.length === 0) return
    const byId = new Map(changed.map(({ url, now }) => [sourceId(url), now]))
    const operations = [...byId]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([_id, now]) => ({ updateOne: { filter: { _id }, update: { $set: now }, upsert: true } }))
    await retryConflicts(() => this.sources.bulkWrite(operations, { ordered: false }))
  }

  private addToCache(record: MediaRecord): MediaRecord {
    this.cache.set(record._id, record)
    return record
  }
}

function sourceId(url: string): string {
  return createHash('sha256').update(url).digest('base64url')
}

function isSameSource(a: Omit<MediaSource, '_id'>, b: Omit<MediaSource, '_id'>): boolean {
  return (
    a.final_url === b.final_url &&
    a.etag === b.etag &&
    a.last_modified === b.last_modified &&
    a.sha256 === b.sha256 &&
    a.media_id === b.media_id
  )
}
