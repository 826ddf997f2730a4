import { AppError, texts } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'
import type { PriceListRecord } from './price-list-record.js'

/** @throws AppError NOT_FOUND */
export async function findList(ctx: PricingImportContext, id: number): Promise<PriceListRecord> {
  const list = await ctx.lists.find(id)
  if (!list) throw new AppError('NOT_FOUND', texts.notFound)
  return list
}
