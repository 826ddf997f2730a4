import type { ReplyOf } from '@partsbus/contracts/message'
import type { findSupplies as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'

/** Supplies of these products in these storages, for the search, by `id`; of any quantity. */
export async function findSupplies(
  ctx: StockContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { supplies: await ctx.supplies.ofProducts(call.body.product_ids, call.body.storage_ids) }
}
