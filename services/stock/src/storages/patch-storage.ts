import { AppError, texts } from '@partsbus/contracts/errors'
import type { patchStorage as contract } from '@partsbus/contracts/stock'
import type { Storage } from '@partsbus/contracts/storage'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { exclusively } from '../exclusively.js'
import { showStorage } from './storage.js'
import { sealSupplier } from './supplier-record.js'

/**
 * `PATCH /storages/:id` (admin.md#storages): any subset of the fields; `supplier` is replaced as a whole,
 * but for header values sent as `"***"`.
 * @throws AppError NOT_FOUND, or CONTRACT_VIOLATION on `supplier.headers.NAME` for `"***"` where nothing is stored
 */
export function patchStorage(ctx: StockContext, call: CallOf<typeof contract>): Promise<Storage> {
  const { id, patch } = call.body
  return exclusively(ctx, call.timeLeft(), async () => {
    const stored = await ctx.storages.find(id)
    if (!stored) throw new AppError('NOT_FOUND', texts.notFound)
    const patched = {
      id,
      name: patch.name ?? stored.name,
      is_active: patch.is_active ?? stored.is_active,
      supplier: patch.supplier ? sealSupplier(patch.supplier, stored.supplier, ctx.secrets) : stored.supplier,
    }
    await ctx.storages.replace(patched)
    return showStorage(patched)
  })
}
