import { eventSubjects } from './events.js'
import { IMPORT_JOBS_SUBJECT } from './pricing.js'

/** A nudge that image sets wait to be fetched: ids of the sets; the documents are the truth. */
export const MEDIA_JOBS_SUBJECT = 'jobs.catalog.media'

/** Streams of the bus (architecture.md#bus). Sizes in bytes, ages in milliseconds. */
export const streams = {
  events: { name: 'EVENTS', subjects: eventSubjects, maxAgeMs: 7 * 24 * 3_600_000, maxBytes: 1024 ** 3 },
  media: { name: 'MEDIA', subjects: [MEDIA_JOBS_SUBJECT], maxBytes: 256 * 1024 ** 2 },
  imports: { name: 'IMPORTS', subjects: [IMPORT_JOBS_SUBJECT], maxBytes: 256 * 1024 ** 2 },
} as const
