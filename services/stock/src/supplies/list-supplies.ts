import type { Page } from '@partsbus/contracts/paging'
import type { listSupplies as contract } from '@partsbus/contracts/stock'
import type { Supply } from '@partsbus/contracts/stock-item'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'

/** `GET /supplies` (admin.md#supplies): by `id`, narrowed by product, storage or point. */
export function listSupplies(ctx: StockContext, call: CallOf<typeof contract>): Promise<Page<Supply>> {
  const { page, per_page, ...filter } = call.body
  return ctx.supplies.list(filter, { page, per_page })
}
