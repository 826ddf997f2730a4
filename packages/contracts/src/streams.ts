import { eventSubjects } from './events.js'
import { IMPORT_JOBS_SUBJECT, UPLOAD_BUCKET } from './pricing-import/commands.js'

/** A stream with its durable consumers. Sizes in bytes, ages in milliseconds. */
export interface StreamPlan {
  readonly name: string
  readonly subjects: readonly string[]
  /** `work`: a message is deleted when it is acknowledged; `events`: by age and size */
  readonly retention: 'events' | 'work'
  readonly maxBytes: number
  readonly maxAgeMs?: number
  readonly consumers?: readonly string[]
}

/** A bucket for objects, in the layout of `@nats-io/obj`. */
export interface ObjectBucket {
  readonly name: string
  readonly ttlMs: number
  readonly maxBytes: number
}

/** Wakes a worker that fetches images: ids of image sets. The sets' documents decide what is fetched. */
export const MEDIA_JOBS_SUBJECT = 'jobs.catalog.media'

/** Streams of the bus (architecture.md#bus). */
export const streams = {
  events: {
    name: 'EVENTS',
    subjects: eventSubjects,
    retention: 'events',
    maxAgeMs: 7 * 24 * 3_600_000,
    maxBytes: 1024 ** 3,
  },
  media: {
    name: 'MEDIA',
    subjects: [MEDIA_JOBS_SUBJECT],
    retention: 'work',
    maxBytes: 256 * 1024 ** 2,
    consumers: ['media-workers'],
  },
  imports: {
    name: 'IMPORTS',
    subjects: [IMPORT_JOBS_SUBJECT],
    retention: 'work',
    maxBytes: 256 * 1024 ** 2,
    consumers: ['import-workers'],
  },
} as const satisfies Record<string, StreamPlan>

/** Everything that the provisioning step creates. */
export const busLayout: { streams: readonly StreamPlan[]; buckets: readonly ObjectBucket[] } = {
  streams: Object.values(streams),
  buckets: [UPLOAD_BUCKET],
}
