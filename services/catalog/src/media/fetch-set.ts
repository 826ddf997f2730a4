import { fetchImage } from './fetch-image.js'
import type { DownloadQueue } from './fetch/download-queue.js'
import type { MediaPart } from './media-part.js'
import type { MediaSet, WantedImage } from './media-set.js'
import type { MediaSource } from './media-source-store.js'

interface FetchOrder {
  set: MediaSet
  /** what the URLs gave the last time */
  sources: Map<string, MediaSource>
  queue: DownloadQueue
  stop: AbortSignal
  /** called when an image has failed while others of the set are still being fetched */
  onFailure: () => void
}

/** Tries every pending image of a set once, and writes into the set how each fared. Those broken off by `stop` stay as they were. */
export async function fetchSet(media: MediaPart, order: FetchOrder): Promise<void> {
  const pending = order.set.images.filter((image) => image.status === 'pending')
  let left = pending.length
  await Promise.all(pending.map(async (image) => {
    const failed = await tryImage(media, order, image)
    left -= 1
    if (failed && left > 0) order.onFailure()
  }))
}

async function tryImage(media: MediaPart, { set, sources, queue, stop }: FetchOrder, image: WantedImage): Promise<boolean> {
  const { url } = image
  const result = await queue.run(hostOf(url), async () => (stop.aborted ? undefined : fetchImage(media, { set, url, source: sources.get(url), stop })))
  if (result === undefined) return false
  if (typeof result === 'number') {
    Object.assign(image, { status: 'done', media_id: result, last_error: null, attempts: image.attempts + 1 } satisfies Partial<WantedImage>)
    return false
  }
  if (stop.aborted) return false
  image.attempts += 1
  image.last_error = result.reason
  if (!result.transient || image.attempts > media.times.backoffMs.length) image.status = 'failed'
  return true
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
