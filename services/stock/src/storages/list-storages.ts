import type { Page } from '@partsbus/contracts/paging'
import type { listStorages as contract } from '@partsbus/contracts/stock'
import type { Storage } from '@partsbus/contracts/storage'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { showStorage } from './storage.js'

/** `GET /storages` (admin.md#storages), by `id`. */
export async function listStorages(ctx: StockContext, call: CallOf<typeof contract>): Promise<Page<Storage>> {
  const found = await ctx.storages.list(call.body)
  return { ...found, data: found.data.map(showStorage) }
}
