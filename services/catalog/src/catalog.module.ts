import { Module } from '@nestjs/common'
import { MaintenanceWatch } from '@partsbus/platform/bus/maintenance-watch'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { AwaitedCategoryStore } from './categories/awaited-category-store.js'
import { Categories } from './categories/categories.js'
import { CategoryStates } from './categories/category-states.js'
import { CategoryStore, CategoryWriter } from './categories/category-store.js'
import { LinkedProductStore } from './categories/linked-product-store.js'
import { ParentLinks } from './categories/parent-links.js'
import { UpsertCategories } from './categories/upsert-categories.js'
import { EventOutbox } from './events/event-outbox.js'
import { ErpBatches } from './full-sync/erp-batches.js'
import { FullSyncStore } from './full-sync/full-sync-store.js'
import { FullSyncSweep } from './full-sync/full-sync-sweep.js'
import { FullSyncs } from './full-sync/full-syncs.js'
import { Jobs } from './jobs.js'
import { defaultTimes, MEDIA_TIMES, type MediaConfig } from './media/config.js'
import { Downloader } from './media/fetch/downloader.js'
import { StillAllowedHosts } from './media/fetch/still-allowed-hosts.js'
import { ImageFetcher } from './media/image-fetcher.js'
import { ItemMediaStore } from './media/item-media-store.js'
import { MediaEvents } from './media/media-events.js'
import { MediaJobStore } from './media/media-job-store.js'
import { MediaJobs } from './media/media-jobs.js'
import { MEDIA_QUEUE, MediaNudges, mediaQueue } from './media/media-nudges.js'
import { MediaRequests } from './media/media-requests.js'
import { MediaSetStore } from './media/media-set-store.js'
import { mediaFiles, MediaStore } from './media/media-store.js'
import { MediaWorkLoop } from './media/media-work-loop.js'
import { MediaWorker } from './media/media-worker.js'
import { Media } from './media/media.js'
import { SetSettler } from './media/set-settler.js'
import { OutboxRelay } from './outbox-relay.js'
import { CatalogCounts } from './overview/catalog-counts.js'
import { LatestBatchStore } from './overview/latest-batch-store.js'
import { Overview } from './overview/overview.js'
import { AttributeStore } from './products/attribute-store.js'
import { LateLinks } from './products/late-links.js'
import { ProductIds } from './products/product-ids.js'
import { ProductStates } from './products/product-states.js'
import { ProductStore, ProductWriter } from './products/product-store.js'
import { Products } from './products/products.js'
import { UpsertProducts } from './products/upsert-products.js'

const downloader = {
  provide: Downloader,
  inject: [CONFIG, StillAllowedHosts],
  useFactory: (config: MediaConfig, hosts: StillAllowedHosts) =>
    new Downloader({
      stillAllowed: (requested) => hosts.filter(requested),
      connectionsPerHost: config.MEDIA_DOWNLOADS_PER_HOST,
      deadlineMs: defaultTimes.deadlineMs,
      deadHostMs: defaultTimes.deadHostMs,
    }),
}

const categories = [CategoryStore, CategoryWriter, AwaitedCategoryStore, LinkedProductStore, ParentLinks]
const products = [ProductStore, ProductWriter, ProductIds, AttributeStore, LateLinks]
const batches = [ErpBatches, EventOutbox, OutboxRelay, FullSyncStore, FullSyncSweep]
const overview = [CatalogCounts, LatestBatchStore]
const mediaStores = [MediaSetStore, MediaJobStore, ItemMediaStore, MediaStore, mediaFiles]
const media = [
  ...mediaStores,
  downloader,
  ImageFetcher,
  MediaEvents,
  MediaNudges,
  MediaRequests,
  MediaWorker,
  MediaWorkLoop,
  SetSettler,
  StillAllowedHosts,
  { provide: MEDIA_TIMES, useValue: defaultTimes },
  { provide: MEDIA_QUEUE, useValue: mediaQueue },
]

@Module({
  controllers: [
    UpsertCategories,
    Categories,
    CategoryStates,
    UpsertProducts,
    Products,
    ProductStates,
    FullSyncs,
    Media,
    MediaJobs,
    Overview,
  ],
  providers: [...categories, ...products, ...batches, ...media, ...overview, MaintenanceWatch, Jobs],
})
export class CatalogModule {}
