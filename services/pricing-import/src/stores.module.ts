import { Module } from '@nestjs/common'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { Db } from 'mongodb'
import type { PricingImportConfig } from './config.js'
import { RestoredCounters } from './restored-counters.js'
import { FileStore } from './files/file-store.js'
import { openDrivers } from './files/open-drivers.js'
import { SkippedRowStore } from './import-tasks/skipped-row-store.js'
import { TaskStore } from './import-tasks/task-store.js'
import { OfferStore } from './offers/offer-store.js'
import { PriceListStore } from './price-lists/price-list-store.js'
import { VersionStore } from './versions/version-store.js'

const fileStore = {
  provide: FileStore,
  useFactory: async (db: Db, config: PricingImportConfig, counters: CounterStore) =>
    new FileStore(db.collection('files'), await openDrivers(db, config), counters),
  inject: [Db, CONFIG, CounterStore],
}

const stores = [PriceListStore, VersionStore, TaskStore, SkippedRowStore, OfferStore, fileStore]

/** The collections of an import belong together: tasks, versions and offers share their ids. */
@Module({
  providers: [...stores, RestoredCounters],
  exports: [PriceListStore, VersionStore, TaskStore, SkippedRowStore, OfferStore, FileStore],
})
export class StoresModule {}
