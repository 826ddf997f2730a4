import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/bus/nest-adapter'
import type { PricingImportContext } from './context.js'
import { PriceListsController } from './price-lists/price-lists.controller.js'
import { ImportTasksController } from './tasks/import-tasks.controller.js'

@Module({})
export class PricingImportModule {
  static of(ctx: PricingImportContext): DynamicModule {
    return {
      module: PricingImportModule,
      controllers: [PriceListsController, ImportTasksController],
      providers: [{ provide: CONTEXT, useValue: ctx }],
    }
  }
}
