import { Module } from '@nestjs/common'
import { MaintenanceModule } from '@partsbus/platform/bus/maintenance.module'
import { Cleanup } from './cleanup.js'
import { ImportTasksModule } from './import-tasks/import-tasks.module.js'
import { ImportsModule } from './imports/imports.module.js'
import { Jobs } from './jobs.js'
import { OffersModule } from './offers/offers.module.js'
import { OverviewModule } from './overview/overview.module.js'
import { PriceListsModule } from './price-lists/price-lists.module.js'
import { SourcesModule } from './sources/sources.module.js'
import { UploadsModule } from './uploads/uploads.module.js'
import { VersionsModule } from './versions/versions.module.js'

@Module({
  imports: [
    MaintenanceModule,
    PriceListsModule,
    VersionsModule,
    OffersModule,
    ImportTasksModule,
    ImportsModule,
    UploadsModule,
    SourcesModule,
    OverviewModule,
  ],
  providers: [Cleanup, Jobs],
})
export class PricingImportModule {}
