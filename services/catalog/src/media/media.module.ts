import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { defaultTimes, MEDIA_TIMES, type MediaConfig } from './config.js'
import { Downloader } from './fetch/downloader.js'
import { ImageFetcher } from './image-fetcher.js'
import { ItemMediaStore } from './item-media-store.js'
import { MediaController } from './media.controller.js'
import { MediaEvents } from './media-events.js'
import { MediaJobStore } from './media-job-store.js'
import { MediaJobs } from './media-jobs.js'
import { MEDIA_QUEUE, MediaNudges, mediaQueue } from './media-nudges.js'
import { MediaRequests } from './media-requests.js'
import { MediaSetStore } from './media-set-store.js'
import { mediaFiles, MediaStore } from './media-store.js'
import { MediaWorkLoop } from './media-work-loop.js'
import { MediaWorker } from './media-worker.js'
import { Media } from './media.js'
import { SetSettler } from './set-settler.js'
import { StillAllowedHosts } from './fetch/still-allowed-hosts.js'

const stores = [MediaSetStore, MediaJobStore, ItemMediaStore, MediaStore]
const workers = [ImageFetcher, SetSettler, MediaWorker, MediaWorkLoop]

@Module({
  controllers: [MediaController],
  providers: [
    ...stores,
    ...workers,
    Media,
    MediaJobs,
    MediaRequests,
    MediaEvents,
    MediaNudges,
    StillAllowedHosts,
    { provide: MEDIA_TIMES, useValue: defaultTimes },
    { provide: MEDIA_QUEUE, useValue: mediaQueue },
    mediaFiles,
    {
      provide: Downloader,
      inject: [CONFIG, StillAllowedHosts],
      useFactory: (config: MediaConfig, hosts: StillAllowedHosts) =>
        new Downloader({
          stillAllowed: (requested) => hosts.filter(requested),
          connectionsPerHost: config.MEDIA_DOWNLOADS_PER_HOST,
          deadlineMs: defaultTimes.deadlineMs,
          deadHostMs: defaultTimes.deadHostMs,
        }),
    },
  ],
  exports: [MediaRequests, MediaWorkLoop, MediaJobStore, MediaSetStore],
})
export class MediaModule {}
