import { Inject, Injectable } from '@nestjs/common'
import { Batcher } from '@partsbus/platform/async/batcher'
import { CONFIG, LOG, METRICS } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Metrics } from '@partsbus/platform/process/metrics'
import { traceStep } from '@partsbus/platform/process/spans'
import type { MediaConfig } from './config.js'
import { DownloadMetrics } from './fetch/download-metrics.js'
import { DownloadQueue } from './fetch/download-queue.js'
import type { DownloadFailure, DownloadResult } from './fetch/download-result.js'
import { Downloader } from './fetch/downloader.js'
import { loggableUrl } from './fetch/shown-url.js'
import { hostOf, type MediaSet, type RequestedImage } from './media-set.js'
import { fetchedImage, type FetchedImage, type MediaSource, MediaStore } from './media-store.js'

/** The id of the stored media, or the failure; undefined when the download was stopped. */
type FetchResult = number | DownloadFailure | undefined

export interface FetchOptions {
  /** results of earlier downloads by URL */
  sources: ReadonlyMap<string, MediaSource>
  /** number of retries after the first attempt */
  retries: number
  stop: AbortSignal
  /** called when an image has failed while others of the set are still being fetched */
  onFailure: () => void
}

/** Downloads and stores the images of media sets. Many items of a batch may share an image: it is downloaded once. */
@Injectable()
export class ImageFetcher {
  private readonly queue: DownloadQueue
  private readonly metrics: DownloadMetrics
  private readonly storing: Batcher<FetchedImage>
  /** downloads under way, by URL and allowed hosts */
  private readonly running = new Map<string, Promise<FetchResult>>()

  constructor(
    private readonly downloader: Downloader,
    private readonly media: MediaStore,
    @Inject(METRICS) metrics: Metrics,
    @Inject(CONFIG) config: MediaConfig,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.queue = new DownloadQueue({ total: config.MEDIA_DOWNLOADS, perHost: config.MEDIA_DOWNLOADS_PER_HOST })
    this.metrics = new DownloadMetrics(metrics)
    // the next download does not wait until the previous image is stored
    this.storing = new Batcher('images.store', (images) => media.store(images))
  }

  /** Tries each pending image of a set once and records the results in the set. A stopped download changes nothing. */
  async fetchSet(set: MediaSet, options: FetchOptions): Promise<void> {
    const pending = set.images.filter((image) => image.status === 'pending')
    let left = pending.length
    await Promise.all(
      pending.map(async (image) => {
        const result = await this.fetch(set, image.url, options)
        left -= 1
        if (result === undefined) return
        recordResult(image, result, options.retries)
        if (typeof result !== 'number' && left > 0) options.onFailure()
      }),
    )
  }

  close(): Promise<void> {
    return this.downloader.close()
  }

  private fetch(set: MediaSet, url: string, options: FetchOptions): Promise<FetchResult> {
    const key = JSON.stringify([url, set.allowed_hosts])
    const running = this.running.get(key)
    if (running) return running
    const fetching = this.fetchOnce(set, url, options).finally(() => this.running.delete(key))
    this.running.set(key, fetching)
    return fetching
  }

  private async fetchOnce(set: MediaSet, url: string, { sources, stop }: FetchOptions): Promise<FetchResult> {
    const source = sources.get(url)
    const result = await this.queue.run(hostOf(url), () =>
      traceStep(
        'image.download',
        async (span) => {
          const downloaded = await this.download(set, url, source, stop)
          if (downloaded) span?.setAttribute('partsbus.outcome', downloaded.outcome)
          return downloaded
        },
        () => ({ 'url.full': loggableUrl(url) }),
      ),
    )
    switch (result?.outcome) {
      case 'unchanged':
        return source?.media_id
      case 'downloaded':
        try {
          const image = fetchedImage(url, result, source)
          await this.storing.add(image)
          return image.mediaId
        } finally {
          result.release()
        }
      case 'failed': {
        if (stop.aborted) return undefined
        const { reason, transient } = result
        const { request_id, item, erp_id } = set
        this.log.info({ request_id, item, erp_id, url: loggableUrl(url), reason, transient }, 'image download failed')
        return result
      }
      default:
        return undefined
    }
  }

  private async download(
    set: MediaSet,
    url: string,
    source: MediaSource | undefined,
    stop: AbortSignal,
  ): Promise<DownloadResult | undefined> {
    if (stop.aborted) return undefined
    const start = performance.now()
    // the source is of use only if the media is still stored
    const stored = source && (await this.media.get(source.media_id))
    const result = await this.downloader.download(url, set.allowed_hosts, stored && source, stop)
    if (!stop.aborted) this.metrics.count(result.outcome, performance.now() - start)
    return result
  }
}

function recordResult(image: RequestedImage, result: number | DownloadFailure, retries: number): void {
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
