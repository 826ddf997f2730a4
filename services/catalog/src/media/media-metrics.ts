import { Counter, Histogram, type Metrics } from '@partsbus/platform/process/metrics'
import type { DownloadResult } from './fetch/download-result.js'

const DOWNLOADS = 'media_downloads_total'
const DURATION = 'media_download_duration_seconds'
const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How downloads went. */
export interface MediaMetrics {
  count(outcome: DownloadResult['outcome'], ms: number): void
}

/** May be called again for one registry: a start that found the database away is repeated. */
export function createMediaMetrics({ registry }: Metrics): MediaMetrics {
  registry.removeSingleMetric(DOWNLOADS)
  registry.removeSingleMetric(DURATION)
  const downloads = new Counter({
    name: DOWNLOADS,
    help: 'Downloads of pictures',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: DURATION,
    help: 'Time a download of a picture took',
    labelNames: ['outcome'],
    buckets: seconds,
    registers: [registry],
  })
  return {
    count(outcome, ms) {
      downloads.inc({ outcome })
      duration.observe({ outcome }, ms / 1_000)
    },
  }
}
