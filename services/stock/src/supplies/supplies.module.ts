import { Module } from '@nestjs/common'
import { LatestUpdateModule } from '../overview/latest-update.module.js'
import { StoresModule } from '../stores.module.js'
import { SuppliesController } from './supplies.controller.js'
import { Supplies } from './supplies.js'
import { SupplyBatches } from './supply-batches.js'
import { UpdatePrices } from './update-prices.js'
import { UpdateStocks } from './update-stocks.js'

@Module({
  imports: [StoresModule, LatestUpdateModule],
  controllers: [SuppliesController],
  providers: [Supplies, SupplyBatches, UpdatePrices, UpdateStocks],
})
export class SuppliesModule {}
