import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { Batch } from '@partsbus/contracts/batch'
import { resolveProducts } from '@partsbus/contracts/catalog/commands'
import { AppError } from '@partsbus/contracts/app-error'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { StockResult } from '@partsbus/contracts/result'
import type { Call } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { LatestUpdateStore } from '../overview/latest-update-store.js'
import { type Location, PRODUCT_NOT_FOUND, type SupplyPlan } from './plan-supplies.js'
import { SupplyEvents } from './supply-events.js'
import type { SupplyQuantity } from './supply-store.js'

/** ERP ids in one request to the catalog. */
const LOOK_UP_LIMIT = 5_000

type PlanItems<Item, Change> = (items: readonly Item[], products: ReadonlyMap<string, number>) => SupplyPlan<Change>
/** @returns the supplies that were created */
type WriteChanges<Change> = (location: Location, changes: readonly Change[]) => Promise<SupplyQuantity[]>

/** The course of a batch of stock or prices. */
@Injectable()
export class SupplyBatches {
  constructor(
    private readonly calls: BusClient,
    private readonly events: SupplyEvents,
    private readonly latestUpdate: LatestUpdateStore,
  ) {}

  /**
   * Two round trips to the database (outbox entry, write), or three when supplies are new, and one to the catalog,
   * which runs beside the first.
   * @returns `processed` counts all items, `updated` those written, `errors` those rejected or of unknown products
   * @throws AppError NOT_CONFIGURED without a default storage or point; UNAVAILABLE, TIMEOUT from the catalog
   */
  async update<Item extends { product_id_erp: string }, Change extends { product_id: number }>(
    call: Call<Batch<Item>>,
    planItems: PlanItems<Item, Change>,
    write: WriteChanges<Change>,
  ): Promise<StockResult> {
    this.latestUpdate.note()
    const location = configuredLocation(call.settings)
    const { items, rejected, processed } = call.body
    const errors = rejected.map(({ id, message }) => ({ product_id_erp: id, message }))
    if (items.length === 0) return withDetails({ processed, updated: 0, errors }, call)

    const batch = randomUUID()
    const erpIds = [...new Set(items.map((item) => item.product_id_erp))]
    const endRenewal = this.events.renewEntry(batch, location, erpIds)
    try {
      const [products] = await Promise.all([
        this.resolveProducts(erpIds, call.timeLeft()).catch((error: unknown) => {
          this.events.discard(batch)
          throw error
        }),
        this.events.announce(batch, location, erpIds),
      ])
      const plan = planItems(items, products)
      const created = await write(location, plan.changes)
      const productIds = plan.changes.map(({ product_id }) => product_id)
      this.events.publish(batch, location, productIds, created)
      return withDetails({ processed, updated: plan.updated, errors: [...errors, ...plan.errors] }, call, products)
    } finally {
      endRenewal()
    }
  }

  /** @returns ids by ERP id; the catalog leaves out products that are unknown or soft-deleted */
  private async resolveProducts(erpIds: readonly string[], timeoutMs: number): Promise<Map<string, number>> {
    const ids = new Map<string, number>()
    for (let start = 0; start < erpIds.length; start += LOOK_UP_LIMIT) {
      const chunk = erpIds.slice(start, start + LOOK_UP_LIMIT)
      const { products } = await this.calls.request(
        resolveProducts,
        { erp_ids: chunk },
        { timeoutMs: Math.max(1, timeoutMs) },
      )
      for (const product of products) ids.set(product.erp_id, product.id)
    }
    return ids
  }
}

function configuredLocation(settings: CallSettings): Location {
  const { erp_storage_id, erp_pick_up_point_id } = settings
  if (erp_storage_id === null || erp_pick_up_point_id === null) {
    throw new AppError('NOT_CONFIGURED', 'Default storage and pick-up point for ERP stocks must be configured.')
  }
  return { storage_id: erp_storage_id, pick_up_point_id: erp_pick_up_point_id }
}

/** Stock and price items are always written, so `unchanged` is 0. */
function withDetails<Item extends { product_id_erp: string }>(
  result: StockResult,
  { details, body }: Call<Batch<Item>>,
  products?: ReadonlyMap<string, number>,
): StockResult {
  if (!details) return result
  for (const item of body.items) {
    if (products?.has(item.product_id_erp)) continue
    details.addFor(item, item.product_id_erp, {
      code: 'product_not_found',
      path: 'product_id_erp',
      message: PRODUCT_NOT_FOUND,
    })
  }
  return { ...result, details: details.toReply() }
}
