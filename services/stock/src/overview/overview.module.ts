import { Module } from '@nestjs/common'
import { StoragesModule } from '../storages/storages.module.js'
import { StoresModule } from '../stores.module.js'
import { LatestUpdateModule } from './latest-update.module.js'
import { OverviewController } from './overview.controller.js'
import { Overview } from './overview.js'

@Module({
  imports: [StoresModule, StoragesModule, LatestUpdateModule],
  controllers: [OverviewController],
  providers: [Overview],
})
export class OverviewModule {}
