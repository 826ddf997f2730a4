import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { createPickUpPoint as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { exclusively } from '../exclusively.js'
import { newPoint, requireStorages } from './pick-up-point.js'

/**
 * `POST /pick-up-points` (admin.md#pick-up-points).
 * @throws AppError CONTRACT_VIOLATION on `storage_ids.N` of a storage that is not there
 */
export function createPickUpPoint(ctx: StockContext, call: CallOf<typeof contract>): Promise<PickUpPoint> {
  return exclusively(ctx, call.timeLeft(), async () => {
    const storageIds = call.body.storage_ids ?? []
    requireStorages(storageIds, await ctx.storages.existing(storageIds))
    return ctx.points.insert(newPoint(call.body))
  })
}
