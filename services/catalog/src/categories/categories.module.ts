import { Module } from '@nestjs/common'
import { EventsModule } from '../events/events.module.js'
import { MediaModule } from '../media/media.module.js'
import { FullSyncMarksModule } from '../full-sync/full-sync-marks.module.js'
import { LatestBatchModule } from '../overview/latest-batch.module.js'
import { AwaitedCategoryStore } from './awaited-category-store.js'
import { Categories } from './categories.js'
import { CategoriesController } from './categories.controller.js'
import { CategoryStates } from './category-states.js'
import { CategoryStore, CategoryWriter } from './category-store.js'
import { LinkedProductStore } from './linked-product-store.js'
import { ParentLinks } from './parent-links.js'
import { UpsertCategories } from './upsert-categories.js'

@Module({
  imports: [EventsModule, MediaModule, LatestBatchModule, FullSyncMarksModule],
  controllers: [CategoriesController],
  providers: [
    CategoryStore,
    LinkedProductStore,
    CategoryWriter,
    AwaitedCategoryStore,
    ParentLinks,
    Categories,
    CategoryStates,
    UpsertCategories,
  ],
  exports: [CategoryStore, Categories, AwaitedCategoryStore, ParentLinks],
})
export class CategoriesModule {}
