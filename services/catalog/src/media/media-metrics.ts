import { Counter, Histogram, type Metrics } from '@partsbus/platform/metrics'
import type { DownloadResult } from './fetch/download-result.js'

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How downloads went; the alerts of `deploy/observability` read these names. */
export interface MediaMetrics {
  count(outcome: DownloadResult['outcome'], ms: number): void
}

export function createMediaMetrics({ registry }: Metrics): MediaMetrics {
  const downloads = new Counter({ name: 'media_downloads_total', help: 'Downloads of pictures', labelNames: ['outcome'], registers: [registry] })
  const duration = new Histogram({
    name: 'media_download_duration_seconds', help: 'Time a download of a picture took', labelNames: ['outcome'], buckets: seconds, registers: [registry],
  })
  return {
    count(outcome, ms) {
      downloads.inc({ outcome })
      duration.observe({ outcome }, ms / 1_000)
    },
  }
}
