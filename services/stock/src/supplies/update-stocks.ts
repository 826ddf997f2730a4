import { randomUUID } from 'node:crypto'
import { resolveProducts } from '@partsbus/contracts/catalog'
import { AppError } from '@partsbus/contracts/errors'
import type { StockResult } from '@partsbus/contracts/result'
import type { CallSettings } from '@partsbus/contracts/settings'
import type { StockItem } from '@partsbus/contracts/stock-item'
import type { updateStocks as contract } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { StockContext } from '../context.js'
import { type Place, planSupplies } from './supply.js'

/** ERP ids that the catalog is asked for at once. */
const LOOK_UP_LIMIT = 5_000

/**
 * `POST /stocks/batch-update` (erp.md#stocks-1 to erp.md#stocks-8): two round trips to the database, the note of the
 * event and the write, and one to the catalog, which runs beside the note.
 * @returns `processed` counts all items, `updated` those written, `errors` those rejected or of unknown products
 * @throws AppError NOT_CONFIGURED without a default storage or point; UNAVAILABLE, TIMEOUT from the catalog
 */
export async function updateStocks(ctx: StockContext, call: CallOf<typeof contract>): Promise<StockResult> {
  const place = configuredPlace(call.settings)
  const { items, rejected, processed } = call.body
  const errors = rejected.map(({ id, message }) => ({ product_id_erp: id, message }))
  if (items.length === 0) return { processed, updated: 0, errors }

  const batch = randomUUID()
  const erpIds = [...new Set(items.map((item) => item.product_id_erp))]
  const [products] = await Promise.all([
    findProducts(ctx, erpIds, call.timeLeft()).catch((error: unknown) => {
      ctx.events.withdraw(batch)
      throw error
    }),
    ctx.events.note(batch, place, erpIds),
  ])
  const plan = planSupplies(items, products)
  await ctx.supplies.write(place, plan.changes)
  ctx.events.publish(batch, place, plan.changes)
  return { processed, updated: plan.updated, errors: [...errors, ...plan.errors] }
}

function configuredPlace(settings: CallSettings): Place {
  const { erp_storage_id, erp_pick_up_point_id } = settings
  if (erp_storage_id === null || erp_pick_up_point_id === null) {
    throw new AppError('NOT_CONFIGURED', 'Default storage and pick-up point for ERP stocks must be configured.')
  }
  return { storage_id: erp_storage_id, pick_up_point_id: erp_pick_up_point_id }
}

/** Stock rule 1; the catalog leaves out what is unknown or soft-deleted. */
async function findProducts(
  ctx: StockContext,
  erpIds: StockItem['product_id_erp'][],
  timeoutMs: number,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let at = 0; at < erpIds.length; at += LOOK_UP_LIMIT) {
    const chunk = erpIds.slice(at, at + LOOK_UP_LIMIT)
    const { products } = await ctx.calls.request(
      resolveProducts,
      { erp_ids: chunk },
      { timeoutMs: Math.max(1, timeoutMs) },
    )
    for (const product of products) found.set(product.erp_id, product.id)
  }
  return found
}
