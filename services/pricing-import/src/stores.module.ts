import { Module } from '@nestjs/common'
import { RestoredCounters } from './restored-counters.js'
import { FileStore, fileStore } from './files/file-store.js'
import { SkippedRowStore } from './import-tasks/skipped-row-store.js'
import { TaskStore } from './import-tasks/task-store.js'
import { OfferStore } from './offers/offer-store.js'
import { PriceListStore } from './price-lists/price-list-store.js'
import { VersionStore } from './versions/version-store.js'

const stores = [PriceListStore, VersionStore, TaskStore, SkippedRowStore, OfferStore, fileStore]

/** The collections of an import belong together: tasks, versions and offers share their ids. */
@Module({
  providers: [...stores, RestoredCounters],
  exports: [PriceListStore, VersionStore, TaskStore, SkippedRowStore, OfferStore, FileStore],
})
export class StoresModule {}
