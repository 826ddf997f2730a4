import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/bus/nest-adapter'
import type { StockContext } from './context.js'
import { StockController } from './stock.controller.js'

@Module({})
export class StockModule {
  static of(ctx: StockContext): DynamicModule {
    return { module: StockModule, controllers: [StockController], providers: [{ provide: CONTEXT, useValue: ctx }] }
  }
}
