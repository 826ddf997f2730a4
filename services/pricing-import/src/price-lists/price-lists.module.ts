import { Module } from '@nestjs/common'
import { ImportTasksModule } from '../import-tasks/import-tasks.module.js'
import { SecretsModule } from '../secrets.module.js'
import { StoresModule } from '../stores.module.js'
import { DeletePriceList } from './delete-price-list.js'
import { ListPriceLists } from './list-price-lists.js'
import { PriceListsController } from './price-lists.controller.js'
import { PriceLists } from './price-lists.js'

@Module({
  imports: [StoresModule, SecretsModule, ImportTasksModule],
  controllers: [PriceListsController],
  providers: [PriceLists, ListPriceLists, DeletePriceList],
  exports: [DeletePriceList],
})
export class PriceListsModule {}
