import { AppError, texts } from '@partsbus/contracts/errors'
import type { getStorage as contract } from '@partsbus/contracts/stock'
import type { Storage } from '@partsbus/contracts/storage'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { showStorage } from './storage.js'

/**
 * `GET /storages/:id` (admin.md#storages).
 * @throws AppError NOT_FOUND
 */
export async function getStorage(ctx: StockContext, call: CallOf<typeof contract>): Promise<Storage> {
  const storage = await ctx.storages.find(call.body.id)
  if (!storage) throw new AppError('NOT_FOUND', texts.notFound)
  return showStorage(storage)
}
