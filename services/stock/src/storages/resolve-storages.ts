import type { ReplyOf } from '@partsbus/contracts/message'
import type { resolveStorages as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { openSupplier } from './supplier-record.js'

/**
 * The storages a question goes to (partners.md#brands-1): the active ones among the ids, or among
 * those linked to the active points, by `id`. The one answer that holds header values in clear; it goes to the search alone.
 */
export async function resolveStorages(
  ctx: StockContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { body } = call
  const ids = 'storage_ids' in body ? body.storage_ids : await ctx.points.storagesOfActive(body.pick_up_point_ids)
  const storages = await ctx.storages.among(ids, {
    includeInactive: 'storage_ids' in body && body.include_inactive === true,
  })
  return {
    storages: storages.map(({ id, name, supplier }) => ({ id, name, supplier: openSupplier(supplier, ctx.secrets) })),
  }
}
