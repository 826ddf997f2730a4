import { fileStoreConfig } from '@partsbus/file-store/config'
import { z } from 'zod'

/** Variables of the media module. */
export const mediaConfig = fileStoreConfig.extend({
  /** downloads at a time in one process */
  MEDIA_DOWNLOADS: z.coerce.number().int().min(1).max(256).default(32),
  /** downloads at a time from one host in one process */
  MEDIA_DOWNLOADS_PER_HOST: z.coerce.number().int().min(1).max(256).default(8),
})

export type MediaConfig = z.infer<typeof mediaConfig>

/** Durations of the media workers in milliseconds. Provided under this token, so that tests can shorten them. */
export const MEDIA_TIMES = Symbol('media times')

export interface MediaTimes {
  /** how long a claim is valid without being renewed */
  leaseMs: number
  sweepMs: number
  /** how long the sweeper leaves a due set to the worker that received its nudge */
  graceMs: number
  /** pauses before the second and each further attempt; after the last one the image has failed */
  backoffMs: number[]
  /** limit of one download */
  deadlineMs: number
  /** how long an unreachable host is not tried again */
  deadHostMs: number
}

export const defaultTimes: MediaTimes = {
  leaseMs: 30_000,
  sweepMs: 1_000,
  graceMs: 2_000,
  backoffMs: [5_000, 30_000, 120_000, 600_000, 3_600_000],
  deadlineMs: 10_000,
  deadHostMs: 10_000,
}
