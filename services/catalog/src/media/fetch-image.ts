import { createHash } from 'node:crypto'
import type { DownloadedPicture, DownloadFailure } from './fetch/download-result.js'
import { mediaFileName } from './fetch/file-name.js'
import { shownUrl } from './fetch/shown-url.js'
import type { MediaPart } from './media-part.js'
import type { MediaSet } from './media-set.js'
import type { MediaSource } from './media-source-store.js'
import type { MediaRecord } from './media-store.js'

/**
 * Downloads one picture and stores it, unless the URL still gives what is stored
 * (decisions, "How images are fetched": content that has not changed is not stored twice).
 * @param source what the URL gave the last time
 * @returns the id of the stored picture, or why there is none
 */
export async function fetchImage(
  media: MediaPart,
  image: { set: MediaSet; url: string; source: MediaSource | undefined; stop: AbortSignal },
): Promise<number | DownloadFailure> {
  const { set, url, source } = image
  const start = performance.now()
  const stored = source && (await media.media.find(source.media_id))
  const result = await media.downloader.download(url, set.allowed_hosts, stored && source, image.stop)
  if (!image.stop.aborted) media.metrics.count(result.outcome, performance.now() - start)
  switch (result.outcome) {
    case 'unchanged':
      return source?.media_id ?? { outcome: 'failed', reason: 'not modified since a download that is not known', transient: true }
    case 'downloaded':
      return (await keep(media, url, source, result))._id
    case 'failed':
      if (!image.stop.aborted) {
        media.parts.log.info({ item: set.item, erp_id: set.erp_id, url: shownUrl(url), reason: result.reason, transient: result.transient }, 'picture not downloaded')
      }
      return result
  }
}

/** The bytes come first: a crash in between leaves bytes that the same content finds again, never a record without bytes. */
async function keep(media: MediaPart, url: string, source: MediaSource | undefined, download: DownloadedPicture): Promise<MediaRecord> {
  const { bytes, picture, final_url, etag, last_modified } = download
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    let record = (source?.sha256 === sha256 ? await media.media.find(source.media_id) : undefined) ?? await media.media.findByHash(sha256)
    if (!record) {
      await media.files.write(sha256, bytes)
      record = await media.media.add({ sha256, ...picture, size: bytes.length, file_name: mediaFileName(url, picture.mime_type) })
    }
    const now = { final_url, etag, last_modified, sha256, media_id: record._id }
    if (!source || !isSameSource(source, now)) await media.sources.save(url, now)
    return record
  } finally {
    download.release()
  }
}

function isSameSource(a: Omit<MediaSource, '_id'>, b: Omit<MediaSource, '_id'>): boolean {
  return a.final_url === b.final_url && a.etag === b.etag && a.last_modified === b.last_modified && a.sha256 === b.sha256 && a.media_id === b.media_id
}
