import { Module } from '@nestjs/common'
import { StoresModule } from '../stores.module.js'
import { SuppliesController } from './supplies.controller.js'
import { Supplies } from './supplies.js'
import { SupplyEvents } from './supply-events.js'
import { UpdateStocks } from './update-stocks.js'

@Module({
  imports: [StoresModule],
  controllers: [SuppliesController],
  providers: [Supplies, SupplyEvents, UpdateStocks],
  exports: [SupplyEvents],
})
export class SuppliesModule {}
