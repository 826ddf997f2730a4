import { Module } from '@nestjs/common'
import { CategoriesModule } from '../categories/categories.module.js'
import { ProductsModule } from '../products/products.module.js'
import { FullSyncMarksModule } from './full-sync-marks.module.js'
import { FullSyncs } from './full-syncs.js'
import { FullSyncsController } from './full-syncs.controller.js'

@Module({
  imports: [CategoriesModule, ProductsModule, FullSyncMarksModule],
  controllers: [FullSyncsController],
  providers: [FullSyncs],
  exports: [FullSyncs],
})
export class FullSyncModule {}
