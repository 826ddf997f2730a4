import { Counter, Histogram, type Metrics } from '@partsbus/platform/process/metrics'
import type { DownloadResult } from './download-result.js'

const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class DownloadMetrics {
  private readonly downloads: Counter<'outcome'>
  private readonly duration: Histogram<'outcome'>

  constructor({ registry }: Metrics) {
    this.downloads = new Counter({
      name: 'media_downloads_total',
      help: 'Image downloads by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    })
    this.duration = new Histogram({
      name: 'media_download_duration_seconds',
      help: 'Duration of image downloads, in seconds',
      labelNames: ['outcome'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    })
  }

  count(outcome: DownloadResult['outcome'], ms: number): void {
    this.downloads.inc({ outcome })
    this.duration.observe({ outcome }, ms / 1_000)
  }
}
