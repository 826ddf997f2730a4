import type { Runtime } from '@partsbus/platform/process/runtime'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { MediaConfig } from './config.js'
import type { Downloader } from './fetch/downloader.js'
import type { Lookup } from '@partsbus/platform/net/host-addresses'
import type { FileDriver } from './files/file-driver.js'
import type { ItemMediaStore } from './item-media-store.js'
import type { MediaJobStore } from './media-job-store.js'
import type { MediaMetrics } from './media-metrics.js'
import type { MediaNudges } from './media-nudges.js'
import type { MediaSetStore } from './media-set-store.js'
import type { MediaSourceStore } from './media-source-store.js'
import type { MediaStore } from './media-store.js'
import type { SettledNotices } from './settled-notices.js'

/** What the picture half of the service owns, built once by `openMedia`. */
export interface MediaPart {
  parts: Runtime
  config: MediaConfig
  times: MediaTimes
  counters: CounterStore
  sets: MediaSetStore
  jobs: MediaJobStore
  items: ItemMediaStore
  media: MediaStore
  sources: MediaSourceStore
  files: FileDriver
  downloader: Downloader
  nudges: MediaNudges
  settled: SettledNotices
  metrics: MediaMetrics
  /** starts the workers and the sweeper */
  start(): Promise<void>
  /** takes no new work; ends when what is under way is given back */
  stop(): Promise<void>
}

/** Durations in milliseconds, and what else a test puts in the place of the real thing. */
export interface MediaTimes {
  /** how long a claim holds without being renewed */
  leaseMs: number
  sweepMs: number
  /** what became due is left to its nudge for this long */
  graceMs: number
  /** pauses before the second and every further attempt; after the last one the image is given up */
  backoffMs: number[]
  deadlineMs: number
  deadHostMs: number
}

export interface MediaHooks {
  times?: Partial<MediaTimes>
  lookup?: Lookup
  /** stream and subject of the work queue */
  queue?: { name: string; subject: string }
}

export const defaultTimes: MediaTimes = {
  leaseMs: 30_000,
  sweepMs: 1_000,
  graceMs: 2_000,
  backoffMs: [5_000, 30_000, 120_000, 600_000, 3_600_000],
  deadlineMs: 10_000,
  deadHostMs: 10_000,
}
