import { deactivateCategories, getCategory, listCategories, upsertCategories } from '@partsbus/contracts/catalog'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/call'
import { Answers, CONTEXT, Request } from '@partsbus/platform/nest-door'
import type { CatalogContext } from '../context.js'
import { deactivateCategoryBatch } from './deactivate-categories.js'
import { getOneCategory } from './get-category.js'
import { listCategoryPage } from './list-categories.js'
import { upsertCategoryBatch } from './upsert-categories.js'

@Controller()
export class CategoriesController {
  constructor(@Inject(CONTEXT) private readonly ctx: CatalogContext) {}

  @Answers(upsertCategories)
  upsert(@Request(upsertCategories) call: CallOf<typeof upsertCategories>) {
    return upsertCategoryBatch(this.ctx, call)
  }

  @Answers(deactivateCategories)
  deactivate(@Request(deactivateCategories) call: CallOf<typeof deactivateCategories>) {
    return deactivateCategoryBatch(this.ctx, call)
  }

  @Answers(listCategories)
  list(@Request(listCategories) call: CallOf<typeof listCategories>) {
    return listCategoryPage(this.ctx, call)
  }

  @Answers(getCategory)
  get(@Request(getCategory) call: CallOf<typeof getCategory>) {
    return getOneCategory(this.ctx, call)
  }
}
