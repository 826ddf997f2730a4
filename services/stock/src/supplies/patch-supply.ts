import { AppError, texts } from '@partsbus/contracts/errors'
import type { patchSupply as contract } from '@partsbus/contracts/stock'
import type { Supply } from '@partsbus/contracts/stock-item'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'

/**
 * `PATCH /supplies/:id` (admin.md#supplies): prices, `reserved`, `shipped`, the fields that the ERP never writes.
 * @throws AppError NOT_FOUND
 */
export async function patchSupply(ctx: StockContext, call: CallOf<typeof contract>): Promise<Supply> {
  const patched = await ctx.supplies.patch(call.body.id, call.body.patch)
  if (!patched) throw new AppError('NOT_FOUND', texts.notFound)
  return patched
}
