import type { StockResult } from '@partsbus/contracts/result'
import type { PriceItem, StockItem } from '@partsbus/contracts/stock/stock-item'
import { parseInstant } from '@partsbus/contracts/instant'

/** Where the ERP's stock and prices are written. */
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

/** The prices of one product of a batch; an absent one stays. */
export interface PriceChange {
  product_id: number
  product_erp_id: string
  selling_price?: number | null
  purchase_price?: number | null
  old_price?: number | null
}

export interface SupplyPlan<Change> {
  /** one per product */
  changes: Change[]
  /** items to write; a product sent twice counts twice */
  updated: number
  errors: StockResult['errors']
}

export const PRODUCT_NOT_FOUND = 'Product not found for given ERP ID.'

/** Product + pick-up point + storage identify a supply (erp.md#stocks-3). */
export function supplyKey(productId: number, location: Location): string {
  return `${productId}:${location.pick_up_point_id}:${location.storage_id}`
}

/**
 * erp.md#stocks-1 to erp.md#stocks-6. A product sent twice gives the same as two batches would: the last quantity wins,
 * and an empty field leaves the value of an earlier item.
 * @param products ids by ERP id of the products that are known and not soft-deleted
 */
export function planSupplies(
  items: readonly StockItem[],
  products: ReadonlyMap<string, number>,
): SupplyPlan<SupplyChange> {
  return planItems(items, products, mergeStock)
}

/** erp.md#prices-1 to erp.md#prices-3; products sent twice and `products` as in {@link planSupplies}. */
export function planPrices(
  items: readonly PriceItem[],
  products: ReadonlyMap<string, number>,
): SupplyPlan<PriceChange> {
  return planItems(items, products, mergePrices)
}

function planItems<Item extends { product_id_erp: string }, Change>(
  items: readonly Item[],
  products: ReadonlyMap<string, number>,
  merge: (earlier: Change | undefined, item: Item, productId: number) => Change,
): SupplyPlan<Change> {
  const changes = new Map<number, Change>()
  const plan: SupplyPlan<Change> = { changes: [], updated: 0, errors: [] }
  for (const item of items) {
    const productId = products.get(item.product_id_erp)
    if (productId === undefined) {
      plan.errors.push({ product_id_erp: item.product_id_erp, message: PRODUCT_NOT_FOUND })
      continue
    }
    plan.updated += 1
    changes.set(productId, merge(changes.get(productId), item, productId))
  }
  plan.changes = [...changes.values()]
  return plan
}

function mergeStock(earlier: SupplyChange | undefined, item: StockItem, productId: number): SupplyChange {
  const change = earlier ?? { product_id: productId, product_erp_id: item.product_id_erp, quantity: 0 }
  change.quantity = item.quantity
  const supplyDate = item.supply_date ? parseInstant(item.supply_date) : undefined
  if (supplyDate) change.supply_date = supplyDate
  if (typeof item.delivery_days === 'number') change.delivery_days = item.delivery_days
  return change
}

function mergePrices(earlier: PriceChange | undefined, item: PriceItem, productId: number): PriceChange {
  const change = earlier ?? { product_id: productId, product_erp_id: item.product_id_erp }
  if (item.selling_price !== undefined) change.selling_price = item.selling_price
  if (item.purchase_price !== undefined) change.purchase_price = item.purchase_price
  if (item.old_price !== undefined) change.old_price = item.old_price
  return change
}
