import type { ReplyOf } from '@partsbus/contracts/message'
import type { offeredPickUpPoints as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { offerPoint } from './pick-up-point.js'

/** `POST /get-pick-up-points` (partners.md#pick-up-points): the active points, by `id`. */
export async function offeredPickUpPoints(
  ctx: StockContext,
  _call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { pick_up_points: (await ctx.points.active()).map(offerPoint) }
}
