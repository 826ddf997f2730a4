import { AppError, texts } from '@partsbus/contracts/errors'
import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { patchPickUpPoint as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { exclusively } from '../exclusively.js'
import { changedFields, requireStorages } from './pick-up-point.js'

/**
 * `PATCH /pick-up-points/:id` (admin.md#pick-up-points): any subset of the fields; `storage_ids` is replaced as a whole.
 * @throws AppError NOT_FOUND, or CONTRACT_VIOLATION on `storage_ids.N` of a storage that is not there
 */
export function patchPickUpPoint(ctx: StockContext, call: CallOf<typeof contract>): Promise<PickUpPoint> {
  const { id, patch } = call.body
  return exclusively(ctx, call.timeLeft(), async () => {
    const storageIds = patch.storage_ids ?? []
    requireStorages(storageIds, await ctx.storages.existing(storageIds))
    const point = await ctx.points.patch(id, changedFields(patch))
    if (!point) throw new AppError('NOT_FOUND', texts.notFound)
    return point
  })
}
