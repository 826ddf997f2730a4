import { Module } from '@nestjs/common'
import { MaintenanceModule } from '@partsbus/platform/bus/maintenance.module'
import { CategoriesModule } from './categories/categories.module.js'
import { EventsModule } from './events/events.module.js'
import { FullSyncModule } from './full-sync/full-sync.module.js'
import { Jobs } from './jobs.js'
import { MediaModule } from './media/media.module.js'
import { OverviewModule } from './overview/overview.module.js'
import { OutboxRelay } from './outbox-relay.js'
import { ProductsModule } from './products/products.module.js'

@Module({
  imports: [
    MaintenanceModule,
    CategoriesModule,
    ProductsModule,
    MediaModule,
    EventsModule,
    OverviewModule,
    FullSyncModule,
  ],
  providers: [Jobs, OutboxRelay],
})
export class CatalogModule {}
