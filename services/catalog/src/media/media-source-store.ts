import { createHash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { type Collection, Db } from 'mongodb'

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

@Injectable()
export class MediaSourceStore {
  private readonly sources: Collection<MediaSource>

  constructor(db: Db) {
    this.sources = db.collection<MediaSource>('media_sources')
  }

  /** @returns the sources by URL */
  async find(urls: string[]): Promise<Map<string, MediaSource>> {
    const byId = new Map(urls.map((url) => [sourceId(url), url]))
    const found = await this.sources.find({ _id: { $in: [...byId.keys()] } }).toArray()
    return new Map(found.map((source) => [byId.get(source._id) ?? '', source]))
  }

  async save(sources: Array<{ url: string; now: Omit<MediaSource, '_id'> }>): Promise<void> {
    if (sources.length === 0) return
    const byId = new Map(sources.map(({ url, now }) => [sourceId(url), now]))
    const operations = [...byId]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([_id, now]) => ({ updateOne: { filter: { _id }, update: { $set: now }, upsert: true } }))
    await retryConflicts(() => this.sources.bulkWrite(operations, { ordered: false }))
  }
}

function sourceId(url: string): string {
  return createHash('sha256').update(url).digest('base64url')
}
