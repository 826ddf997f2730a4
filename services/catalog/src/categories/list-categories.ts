import type { listCategories } from '@partsbus/contracts/catalog'
import type { Category } from '@partsbus/contracts/category'
import type { Page } from '@partsbus/contracts/paging'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { categoryViews } from './category-view.js'

/** Categories by id, a page at a time (admin.md#categories). */
export async function listCategoryPage(
  ctx: CatalogContext,
  call: CallOf<typeof listCategories>,
): Promise<Page<Category>> {
  const { page, per_page } = call.body
  const { docs, total } = await ctx.categories.page({}, call.body)
  return { data: await categoryViews(ctx, docs), total, page, per_page }
}
