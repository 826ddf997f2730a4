import { createHash } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import type { DownloadedImage } from './fetch/download-result.js'
import { mediaFileName } from './fetch/file-name.js'
import { type MediaSource, MediaSourceStore } from './media-source-store.js'
import { MEDIA_FILES, MediaStore } from './media-store.js'

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

/** Stores downloaded images, each content once (rules.md#images-stored-once). */
@Injectable()
export class MediaArchive {
  constructor(
    private readonly media: MediaStore,
    private readonly sources: MediaSourceStore,
    @Inject(MEDIA_FILES) private readonly files: FileDriver,
  ) {}

  /**
   * Stores the images that are not stored yet and sets their `mediaId`. The bytes are written first: a process that is
   * killed in between leaves bytes that the same content finds again, never a record without bytes.
   */
  async store(images: FetchedImage[]): Promise<void> {
    const byHash = new Map(images.map((image) => [image.sha256, image]))
    const records = await this.media.findByHashes([...byHash.keys()])
    const added = [...byHash.values()].filter(({ sha256 }) => !records.has(sha256))
    if (added.length > 0) {
      await this.files.write(added.map(({ sha256, download }) => ({ name: sha256, bytes: download.bytes })))
      const written = await this.media.add(
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

  private async saveSources(images: FetchedImage[]): Promise<void> {
    await this.sources.save(
      images
        .map(({ url, sha256, mediaId, source, download: { final_url, etag, last_modified } }) => ({
          url,
          source,
          now: { final_url, etag, last_modified, sha256, media_id: mediaId },
        }))
        .filter(({ source, now }) => !source || !isSameSource(source, now)),
    )
  }
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
