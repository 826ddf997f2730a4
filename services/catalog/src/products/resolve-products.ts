import type { resolveProducts } from '@partsbus/contracts/catalog'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'

/** Ids of those products that are known and not soft-deleted (erp.md#stocks-2). */
export async function resolveProductIds(
  ctx: CatalogContext,
  call: CallOf<typeof resolveProducts>,
): Promise<ReplyOf<typeof resolveProducts>> {
  const erpIds = call.body.erp_ids
  if (erpIds.length === 0) return { products: [] }
  const found = await ctx.products.collection
    .find({ _id: { $in: erpIds }, deleted_at: null }, { projection: { id: 1 }, batchSize: erpIds.length + 1 })
    .toArray()
  return { products: found.map((doc) => ({ erp_id: doc._id, id: doc.id })) }
}
