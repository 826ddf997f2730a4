import { Module } from '@nestjs/common'
import { Jobs } from './jobs.js'
import { OverviewModule } from './overview/overview.module.js'
import { PickUpPointsModule } from './pick-up-points/pick-up-points.module.js'
import { StoresModule } from './stores.module.js'
import { StoragesModule } from './storages/storages.module.js'
import { SuppliesModule } from './supplies/supplies.module.js'

@Module({
  imports: [StoresModule, PickUpPointsModule, StoragesModule, SuppliesModule, OverviewModule],
  providers: [Jobs],
})
export class StockModule {}
