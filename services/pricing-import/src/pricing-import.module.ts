import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/nest-door'
import type { PricingImportContext } from './context.js'

@Module({})
export class PricingImportModule {
  static of(ctx: PricingImportContext): DynamicModule {
    return { module: PricingImportModule, providers: [{ provide: CONTEXT, useValue: ctx }] }
  }
}
