import { MEDIA_JOBS_SUBJECT, streams } from '@partsbus/contracts/streams'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { Runtime } from '@partsbus/platform/process/runtime'
import type { MediaConfig } from './config.js'
import { Downloader } from './fetch/downloader.js'
import { lookupAll } from '@partsbus/platform/net/host-addresses'
import { openFiles } from './files/open-files.js'
import { ItemMediaStore } from './item-media-store.js'
import { MediaJobStore } from './media-job-store.js'
import { createMediaMetrics } from './media-metrics.js'
import { MediaNudges } from './media-nudges.js'
import { defaultTimes, type MediaHooks, type MediaPart } from './media-part.js'
import { MediaSetStore } from './media-set-store.js'
import { MediaSourceStore } from './media-source-store.js'
import { MediaStore } from './media-store.js'
import { MediaWorker } from './media-worker.js'
import { SettledNotices } from './settled-notices.js'

/**
 * Opens the stores, indexes and the work queue of the pictures. Nothing is fetched before `start()`;
 * `stop()` gives back what is under way.
 * @param db the service's own database
 * @param hooks durations and replacements, for tests
 */
export async function openMedia(
  parts: Runtime,
  db: Runtime['mongo']['db'],
  config: MediaConfig,
  hooks: MediaHooks = {},
): Promise<MediaPart> {
  const times = { ...defaultTimes, ...hooks.times }
  const queue = hooks.queue ?? { name: streams.media.name, subject: MEDIA_JOBS_SUBJECT }
  const counters = new CounterStore(db.collection('counters'))
  const media: MediaPart = {
    parts,
    config,
    times,
    counters,
    sets: new MediaSetStore(db),
    jobs: new MediaJobStore(db),
    items: new ItemMediaStore(db),
    media: new MediaStore(db, counters),
    sources: new MediaSourceStore(db),
    files: openFiles(db, config),
    downloader: new Downloader({
      lookup: hooks.lookup ?? lookupAll,
      connectionsPerHost: config.MEDIA_DOWNLOADS_PER_HOST,
      deadlineMs: times.deadlineMs,
      deadHostMs: times.deadHostMs,
    }),
    nudges: new MediaNudges(
      parts.bus,
      { ...streams.media, name: queue.name, subjects: [queue.subject] },
      queue.subject,
      parts.log,
    ),
    settled: new SettledNotices(),
    metrics: createMediaMetrics(parts.metrics),
    start: () => Promise.resolve(worker.start()),
    stop: async () => {
      await worker.stop()
      await media.downloader.close()
    },
  }
  const worker = new MediaWorker(media)
  await Promise.all([media.sets.prepare(), media.media.prepare(), media.files.prepare()])
  return media
}
