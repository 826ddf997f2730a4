import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/nest-door'
import type { SupplierSearchContext } from './context.js'

@Module({})
export class SupplierSearchModule {
  static of(ctx: SupplierSearchContext): DynamicModule {
    return { module: SupplierSearchModule, providers: [{ provide: CONTEXT, useValue: ctx }] }
  }
}
