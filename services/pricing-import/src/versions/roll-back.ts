import { AppError } from '@partsbus/contracts/errors'
import type { PriceListVersion } from '@partsbus/contracts/price-list'
import type { rollbackVersion as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findList } from '../price-lists/find-list.js'
import { showVersions } from '../price-lists/price-list-view.js'

/**
 * `POST /price-lists/:id/rollback` (admin.md#rollback): makes a kept version live, the one before the active one unless named.
 * @throws AppError NOT_FOUND, or CONFLICT when it is no longer kept
 */
export async function rollBack(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<{ versions: PriceListVersion[] }> {
  const { id, version } = call.body
  const list = await findList(ctx, id)
  // whatever was uploaded up to now must not go live afterwards
  const through = await ctx.counters.last('import_tasks')
  const active = list.versions.findIndex((kept) => kept.version === list.active_version)
  const target = version ?? list.versions[active + 1]?.version
  if (target === undefined) throw new AppError('CONFLICT', 'There is no version before the active one.')
  if (!(await ctx.versions.rollBack(id, target, through)))
    throw new AppError('CONFLICT', `Version ${target} is no longer kept.`)
  return { versions: showVersions(await findList(ctx, id)) }
}
