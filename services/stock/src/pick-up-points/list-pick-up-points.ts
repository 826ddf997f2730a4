import type { Page } from '@partsbus/contracts/paging'
import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { listPickUpPoints as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'

/** `GET /pick-up-points` (admin.md#pick-up-points), by `id`. */
export function listPickUpPoints(ctx: StockContext, call: CallOf<typeof contract>): Promise<Page<PickUpPoint>> {
  return ctx.points.list(call.body)
}
