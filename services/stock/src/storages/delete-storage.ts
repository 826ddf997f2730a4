import { AppError, texts } from '@partsbus/contracts/errors'
import type { deleteStorage as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { exclusively } from '../exclusively.js'
import { storageInUse } from './storage.js'

/**
 * `DELETE /storages/:id` (admin.md#storages). Supplies are counted once more after the deletion, and the storage
 * put back when a batch was quicker: stock batches do not wait for administrators.
 * @throws AppError NOT_FOUND, or CONFLICT naming what refers to it
 */
export function deleteStorage(ctx: StockContext, call: CallOf<typeof contract>): Promise<Record<string, never>> {
  const { id } = call.body
  return exclusively(ctx, call.timeLeft(), async () => {
    const storage = await ctx.storages.find(id)
    if (!storage) throw new AppError('NOT_FOUND', texts.notFound)
    const [point, supplies] = await Promise.all([ctx.points.usersOf(id), ctx.supplies.count({ storage_id: id })])
    if (point || supplies > 0) throw storageInUse(id, { point, supplies })
    await ctx.storages.delete(id)
    const late = await ctx.supplies.count({ storage_id: id })
    if (late === 0) return {}
    await ctx.storages.restore(storage)
    throw storageInUse(id, { supplies: late })
  })
}
