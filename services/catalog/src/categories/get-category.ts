import type { getCategory } from '@partsbus/contracts/catalog'
import type { Category } from '@partsbus/contracts/category'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { categoryViews } from './category-view.js'

/** One category by its id or its ERP id (admin.md#categories). @throws AppError NOT_FOUND */
export async function getOneCategory(ctx: CatalogContext, call: CallOf<typeof getCategory>): Promise<Category> {
  const { body } = call
  const doc = await ctx.categories.collection.findOne('id' in body ? { id: body.id } : { _id: body.erp_id })
  const [view] = doc ? await categoryViews(ctx, [doc]) : []
  if (!view) throw new AppError('NOT_FOUND', texts.notFound)
  return view
}
