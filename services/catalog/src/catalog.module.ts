import { type DynamicModule, Module } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/bus/nest-adapter'
import { CategoriesController } from './categories/categories.controller.js'
import type { CatalogContext } from './context.js'
import { MediaController } from './media/media.controller.js'
import { ProductsController } from './products/products.controller.js'

@Module({})
export class CatalogModule {
  static of(ctx: CatalogContext): DynamicModule {
    return {
      module: CatalogModule,
      controllers: [CategoriesController, ProductsController, MediaController],
      providers: [{ provide: CONTEXT, useValue: ctx }],
    }
  }
}
