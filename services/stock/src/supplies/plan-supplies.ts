import type { StockResult } from '@partsbus/contracts/result'
import type { StockItem } from '@partsbus/contracts/stock/stock-item'
import { parseInstant } from '@partsbus/contracts/instant'

/** Where the ERP's stock is written. */
export interface Location {
  pick_up_point_id: number
  storage_id: number
}

/** One product of a batch. Fields that the ERP left out or sent empty are absent. */
export interface SupplyChange {
  product_id: number
  product_erp_id: string
  quantity: number
  supply_date?: Date
  delivery_days?: number
}

interface SupplyPlan {
  /** one per product */
  changes: SupplyChange[]
  /** items to write; a product sent twice counts twice */
  updated: number
  errors: StockResult['errors']
}

const PRODUCT_NOT_FOUND = 'Product not found for given ERP ID.'

/** Product + pick-up point + storage identify a supply (erp.md#stocks-3). */
export function supplyKey(productId: number, location: Location): string {
  return `${productId}:${location.pick_up_point_id}:${location.storage_id}`
}

/**
 * erp.md#stocks-1 to erp.md#stocks-6. A product sent twice gives the same as two batches would: the last quantity wins,
 * and an empty field leaves the value of an earlier item.
 * @param products ids by ERP id of the products that are known and not soft-deleted
 */
export function planSupplies(items: readonly StockItem[], products: ReadonlyMap<string, number>): SupplyPlan {
  const changes = new Map<number, SupplyChange>()
  const plan: SupplyPlan = { changes: [], updated: 0, errors: [] }
  for (const item of items) {
    const productId = products.get(item.product_id_erp)
    if (productId === undefined) {
      plan.errors.push({ product_id_erp: item.product_id_erp, message: PRODUCT_NOT_FOUND })
      continue
    }
    plan.updated += 1
    changes.set(productId, mergeItem(changes.get(productId), item, productId))
  }
  plan.changes = [...changes.values()]
  return plan
}

function mergeItem(earlier: SupplyChange | undefined, item: StockItem, productId: number): SupplyChange {
  const change = earlier ?? { product_id: productId, product_erp_id: item.product_id_erp, quantity: 0 }
  change.quantity = item.quantity
  const supplyDate = item.supply_date ? parseInstant(item.supply_date) : undefined
  if (supplyDate) change.supply_date = supplyDate
  if (typeof item.delivery_days === 'number') change.delivery_days = item.delivery_days
  return change
}
