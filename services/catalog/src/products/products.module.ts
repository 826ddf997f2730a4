import { Module } from '@nestjs/common'
import { CategoriesModule } from '../categories/categories.module.js'
import { EventsModule } from '../events/events.module.js'
import { MediaModule } from '../media/media.module.js'
import { FullSyncMarksModule } from '../full-sync/full-sync-marks.module.js'
import { LatestBatchModule } from '../overview/latest-batch.module.js'
import { AttributeStore } from './attribute-store.js'
import { LateLinks } from './late-links.js'
import { ProductStates } from './product-states.js'
import { ProductIds } from './product-ids.js'
import { ProductStore, ProductWriter } from './product-store.js'
import { Products } from './products.js'
import { ProductsController } from './products.controller.js'
import { UpsertProducts } from './upsert-products.js'

@Module({
  imports: [CategoriesModule, EventsModule, MediaModule, LatestBatchModule, FullSyncMarksModule],
  controllers: [ProductsController],
  providers: [
    ProductIds,
    ProductStore,
    ProductWriter,
    AttributeStore,
    LateLinks,
    Products,
    ProductStates,
    UpsertProducts,
  ],
  exports: [ProductIds, ProductStore, Products, LateLinks],
})
export class ProductsModule {}
