import { brandKey } from '@partsbus/contracts/article'
import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import { BrandNames } from './brand-names.js'

const REVISION = 'revision of the synonyms'

/** The revision of all synonym groups, read again after each change, so that changes are effective at once. */
export function readRevision(ctx: SupplierSearchContext, budget: Budget): Promise<number> {
  const fresh = ctx.freshRevision.get(REVISION)
  if (fresh !== undefined) return Promise.resolve(fresh)
  const revision = ctx.reads.read(REVISION, budget.rest(), () =>
    ctx.freshRevision.read(REVISION, () => ctx.synonyms.revision()),
  )
  // it is waited for later, perhaps after something else has failed
  revision.catch(() => undefined)
  return revision
}

/** Brands with the synonym groups they are in under this revision. */
export async function readBrandNames(
  ctx: SupplierSearchContext,
  brands: readonly string[],
  revision: Promise<number>,
  budget: Budget,
): Promise<BrandNames> {
  const keys = keysOf(brands)
  if (keys.length === 0) return new BrandNames([])
  const under = await revision
  return new BrandNames(
    await ctx.reads.read(`synonyms ${under} ${JSON.stringify(keys)}`, budget.rest(), () =>
      ctx.knownGroups.under(under, keys),
    ),
  )
}

/** As they were the last time, when that is known of all of them: for a start that is thrown away when it was wrong. */
export function lastBrandNames(ctx: SupplierSearchContext, brands: readonly string[]): BrandNames | undefined {
  const groups = ctx.knownGroups.lastTime(keysOf(brands))
  return groups && new BrandNames(groups)
}

function keysOf(brands: readonly string[]): string[] {
  return [...new Set(brands.map(brandKey))].sort()
}
