import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/bus/nest-adapter'
import type { SupplierSearchContext } from './context.js'
import { SupplierSearchController } from './supplier-search.controller.js'

@Module({})
export class SupplierSearchModule {
  static of(ctx: SupplierSearchContext): DynamicModule {
    return {
      module: SupplierSearchModule,
      controllers: [SupplierSearchController],
      providers: [{ provide: CONTEXT, useValue: ctx }],
    }
  }
}
