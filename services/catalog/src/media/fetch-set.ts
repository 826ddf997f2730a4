import { fetchImage, type ImageOrder } from './fetch-image.js'
import type { DownloadFailure } from './fetch/download-result.js'
import type { MediaPart } from './media-part.js'
import type { MediaSet, WantedImage } from './media-set.js'
import type { MediaSource } from './media-source-store.js'

interface FetchOrder extends Pick<ImageOrder, 'queue' | 'underWay' | 'keep' | 'stop'> {
  set: MediaSet
  /** what the URLs gave the last time */
  sources: Map<string, MediaSource>
  /** called when an image has failed while others of the set are still being fetched */
  onFailure: () => void
}

/** Tries every pending image of a set once, and writes into the set how each fared. Those broken off by `stop` stay as they were. */
export async function fetchSet(media: MediaPart, order: FetchOrder): Promise<void> {
  const pending = order.set.images.filter((image) => image.status === 'pending')
  let left = pending.length
  await Promise.all(
    pending.map(async (image) => {
      const result = await fetchImage(media, { ...order, url: image.url, source: order.sources.get(image.url) })
      left -= 1
      if (result === undefined) return
      note(image, result, media.times.backoffMs.length)
      if (typeof result !== 'number' && left > 0) order.onFailure()
    }),
  )
}

/** An image that was downloaded is done; one that failed waits for a retry, or is given up. */
function note(image: WantedImage, result: number | DownloadFailure, retries: number): void {
  image.attempts += 1
  if (typeof result === 'number') {
    image.status = 'done'
    image.media_id = result
    image.last_error = null
  } else {
    image.last_error = result.reason
    if (!result.transient || image.attempts > retries) image.status = 'failed'
  }
}
