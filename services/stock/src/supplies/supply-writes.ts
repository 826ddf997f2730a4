import { type Location, type PriceChange, type SupplyChange, supplyKey } from './plan-supplies.js'
import type { SupplyDocument } from './supply-document.js'

/** The write of one supply: an update if it exists, else an insert. */
export interface SupplyWrite {
  _id: string
  set: Partial<SupplyDocument> & { updated_at: Date }
  increment: { revision: 1; edits?: 1 }
  /** @returns the supply when it is new */
  create: (id: number) => SupplyDocument
}

export function stockWrite(location: Location, change: SupplyChange, now: Date): SupplyWrite {
  const { quantity, supply_date, delivery_days } = change
  const set: SupplyWrite['set'] = { quantity, updated_at: now }
  if (supply_date) set.supply_date = supply_date
  if (delivery_days !== undefined) set.delivery_days = delivery_days
  return toWrite(location, change, set, { revision: 1 })
}

export function priceWrite(location: Location, change: PriceChange, now: Date): SupplyWrite {
  const { selling_price, purchase_price, old_price } = change
  const set: SupplyWrite['set'] = { updated_at: now }
  if (selling_price !== undefined) set.selling_price = selling_price
  if (purchase_price !== undefined) set.purchase_price = purchase_price
  if (old_price !== undefined) set.old_price = old_price
  return toWrite(location, change, set, { revision: 1, edits: 1 })
}

function toWrite(
  location: Location,
  { product_id, product_erp_id }: Pick<SupplyDocument, 'product_id' | 'product_erp_id'>,
  set: SupplyWrite['set'],
  increment: SupplyWrite['increment'],
): SupplyWrite {
  const _id = supplyKey(product_id, location)
  const create = (id: number): SupplyDocument => {
    // a literal: spread syntax takes 7 ms for 1,000 supplies (Node 20)
    const supply: SupplyDocument = {
      _id,
      id,
      product_id,
      product_erp_id,
      pick_up_point_id: location.pick_up_point_id,
      storage_id: location.storage_id,
      purchase_price: set.purchase_price ?? null,
      selling_price: set.selling_price ?? null,
      old_price: set.old_price ?? null,
      quantity: set.quantity ?? 0,
      reserved: 0,
      shipped: 0,
      supply_date: set.supply_date ?? set.updated_at,
      delivery_days: set.delivery_days ?? 0,
      updated_at: set.updated_at,
      revision: increment.revision,
    }
    if (increment.edits !== undefined) supply.edits = increment.edits
    return supply
  }
  return { _id, set, increment, create }
}
