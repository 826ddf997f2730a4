import type { createStorage as contract } from '@partsbus/contracts/stock'
import type { Storage } from '@partsbus/contracts/storage'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { showStorage } from './storage.js'
import { sealSupplier } from './supplier-record.js'

/**
 * `POST /storages` (admin.md#storages): active and of own stock unless said otherwise.
 * @throws AppError CONTRACT_VIOLATION on `supplier.headers.NAME` for `"***"`, as nothing is stored yet
 */
export async function createStorage(ctx: StockContext, call: CallOf<typeof contract>): Promise<Storage> {
  const { name, is_active = true, supplier = { kind: 'own-stock' } } = call.body
  return showStorage(
    await ctx.storages.insert({ name, is_active, supplier: sealSupplier(supplier, undefined, ctx.secrets) }),
  )
}
