import type { Batcher } from './batcher.js'
import type { DownloadQueue } from './fetch/download-queue.js'
import type { DownloadFailure, DownloadResult } from './fetch/download-result.js'
import { shownUrl } from './fetch/shown-url.js'
import { freshPicture, type FreshPicture } from './keep-pictures.js'
import type { MediaPart } from './media-part.js'
import type { MediaSet } from './media-set.js'
import type { MediaSource } from './media-source-store.js'

/** How fetching a picture ended: its id, or why there is none; undefined when it was broken off. */
export type Fetched = number | DownloadFailure | undefined

export interface ImageOrder {
  set: Pick<MediaSet, 'item' | 'erp_id' | 'allowed_hosts'>
  url: string
  /** what the URL gave the last time */
  source: MediaSource | undefined
  queue: DownloadQueue
  /** fetches under way, by URL and what it may reach: many items of a batch may share one picture */
  underWay: Map<string, Promise<Fetched>>
  /** writes what was downloaded; the next download need not wait for it */
  keep: Batcher<FreshPicture>
  stop: AbortSignal
}

/**
 * Downloads one picture and stores it, unless the URL still gives what is stored
 * (rules.md#images-stored-once: content that has not changed is not stored twice).
 */
export function fetchImage(media: MediaPart, order: ImageOrder): Promise<Fetched> {
  const key = JSON.stringify([order.url, order.set.allowed_hosts])
  const underWay = order.underWay.get(key)
  if (underWay) return underWay
  const fetching = fetchOnce(media, order).finally(() => order.underWay.delete(key))
  order.underWay.set(key, fetching)
  return fetching
}

async function fetchOnce(media: MediaPart, order: ImageOrder): Promise<Fetched> {
  const { set, url, source, keep, stop } = order
  const result = await order.queue.run(hostOf(url), () => download(media, order))
  switch (result?.outcome) {
    case 'unchanged':
      return source?.media_id
    case 'downloaded':
      try {
        const picture = freshPicture(url, result, source)
        await keep.add(picture)
        return picture.mediaId
      } finally {
        result.release()
      }
    case 'failed':
      if (stop.aborted) return undefined
      media.parts.log.info(
        { item: set.item, erp_id: set.erp_id, url: shownUrl(url), reason: result.reason, transient: result.transient },
        'picture not downloaded',
      )
      return result
    default:
      return undefined
  }
}

async function download(media: MediaPart, { set, url, source, stop }: ImageOrder): Promise<DownloadResult | undefined> {
  if (stop.aborted) return undefined
  const start = performance.now()
  const stored = source && (await media.media.find(source.media_id))
  const result = await media.downloader.download(url, set.allowed_hosts, stored && source, stop)
  if (!stop.aborted) media.metrics.count(result.outcome, performance.now() - start)
  return result
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
