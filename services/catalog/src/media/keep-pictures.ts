import { createHash } from 'node:crypto'
import type { DownloadedPicture } from './fetch/download-result.js'
import { mediaFileName } from './fetch/file-name.js'
import type { MediaPart } from './media-part.js'
import type { MediaSource } from './media-source-store.js'

/** A picture that was downloaded, and what its URL gave the last time. */
export interface FreshPicture {
  url: string
  download: DownloadedPicture
  sha256: string
  source: MediaSource | undefined
  /** id of the stored picture, once it is kept */
  mediaId: number
}

export function freshPicture(url: string, download: DownloadedPicture, source: MediaSource | undefined): FreshPicture {
  return { url, download, source, sha256: createHash('sha256').update(download.bytes).digest('hex'), mediaId: 0 }
}

/**
 * Stores what is not stored yet, by content, and remembers what the URLs gave.
 * The bytes come first: a crash in between leaves bytes that the same content finds again, never a record without bytes.
 */
export async function keepPictures(media: MediaPart, pictures: FreshPicture[]): Promise<void> {
  const byHash = new Map(pictures.map((picture) => [picture.sha256, picture]))
  const records = await media.media.findByHashes([...byHash.keys()])
  const added = [...byHash.values()].filter(({ sha256 }) => !records.has(sha256))
  if (added.length > 0) {
    await media.files.write(added.map(({ sha256, download }) => ({ name: sha256, bytes: download.bytes })))
    const written = await media.media.add(
      added.map(({ url, sha256, download: { picture, bytes } }) => ({
        sha256,
        ...picture,
        size: bytes.length,
        file_name: mediaFileName(url, picture.mime_type),
      })),
    )
    for (const [sha256, record] of written) records.set(sha256, record)
  }
  for (const picture of pictures) picture.mediaId = records.get(picture.sha256)?._id ?? 0
  await media.sources.save(
    pictures
      .map(({ url, sha256, mediaId, source, download: { final_url, etag, last_modified } }) => ({
        url,
        source,
        now: { final_url, etag, last_modified, sha256, media_id: mediaId },
      }))
      .filter(({ source, now }) => !source || !isSameSource(source, now)),
  )
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
