import { Module } from '@nestjs/common'
import { CategoriesModule } from '../categories/categories.module.js'
import { MediaModule } from '../media/media.module.js'
import { ProductsModule } from '../products/products.module.js'
import { CatalogCounts } from './catalog-counts.js'
import { LatestBatchModule } from './latest-batch.module.js'
import { OverviewController } from './overview.controller.js'
import { Overview } from './overview.js'

@Module({
  imports: [CategoriesModule, ProductsModule, MediaModule, LatestBatchModule],
  controllers: [OverviewController],
  providers: [Overview, CatalogCounts],
})
export class OverviewModule {}
