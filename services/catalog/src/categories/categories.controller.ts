import { deactivateCategories, getCategory, listCategories, upsertCategories } from '@partsbus/contracts/catalog'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
import type { CatalogContext } from '../context.js'
import { deactivateCategoryBatch } from './deactivate-categories.js'
import { getOneCategory } from './get-category.js'
import { listCategoryPage } from './list-categories.js'
import { upsertCategoryBatch } from './upsert-categories.js'

@Controller()
export class CategoriesController {
  constructor(@Inject(CONTEXT) private readonly ctx: CatalogContext) {}

  @Handles(upsertCategories)
  upsert(@Call(upsertCategories) call: CallOf<typeof upsertCategories>) {
    return upsertCategoryBatch(this.ctx, call)
  }

  @Handles(deactivateCategories)
  deactivate(@Call(deactivateCategories) call: CallOf<typeof deactivateCategories>) {
    return deactivateCategoryBatch(this.ctx, call)
  }

  @Handles(listCategories)
  list(@Call(listCategories) call: CallOf<typeof listCategories>) {
    return listCategoryPage(this.ctx, call)
  }

  @Handles(getCategory)
  get(@Call(getCategory) call: CallOf<typeof getCategory>) {
    return getOneCategory(this.ctx, call)
  }
}
