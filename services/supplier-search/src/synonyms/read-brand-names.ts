import { brandKey } from '@partsbus/contracts/article'
import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import { BrandNames } from './brand-names.js'

/** Brands with the synonym groups they are in, read with each question, so that changes are effective at once. */
export async function readBrandNames(ctx: SupplierSearchContext, brands: readonly string[], budget: Budget): Promise<BrandNames> {
  const keys = [...new Set(brands.map(brandKey))].sort()
  if (keys.length === 0) return new BrandNames([])
  return new BrandNames(await ctx.reads.read(`synonyms ${JSON.stringify(keys)}`, budget.rest(), () => ctx.synonyms.groupsOf(keys)))
}
