import { AppError, texts } from '@partsbus/contracts/errors'
import type { deletePickUpPoint as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { exclusively } from '../exclusively.js'
import { pointInUse } from './pick-up-point.js'

/**
 * `DELETE /pick-up-points/:id` (admin.md#pick-up-points). Supplies are counted once more after the deletion, and the point
 * put back when a batch was quicker: stock batches do not wait for administrators.
 * @throws AppError NOT_FOUND, or CONFLICT when supplies refer to it
 */
export function deletePickUpPoint(ctx: StockContext, call: CallOf<typeof contract>): Promise<Record<string, never>> {
  const { id } = call.body
  return exclusively(ctx, call.timeLeft(), async () => {
    const point = await ctx.points.find(id)
    if (!point) throw new AppError('NOT_FOUND', texts.notFound)
    const supplies = await ctx.supplies.count({ pick_up_point_id: id })
    if (supplies > 0) throw pointInUse(id, supplies)
    await ctx.points.delete(id)
    const late = await ctx.supplies.count({ pick_up_point_id: id })
    if (late === 0) return {}
    await ctx.points.restore(point)
    throw pointInUse(id, late)
  })
}
