import { AppError, texts } from '@partsbus/contracts/errors'
import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { getPickUpPoint as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'

/**
 * `GET /pick-up-points/:id` (admin.md#pick-up-points).
 * @throws AppError NOT_FOUND
 */
export async function getPickUpPoint(ctx: StockContext, call: CallOf<typeof contract>): Promise<PickUpPoint> {
  const point = await ctx.points.find(call.body.id)
  if (!point) throw new AppError('NOT_FOUND', texts.notFound)
  return point
}
