import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Supply, SupplyPatch } from '@partsbus/contracts/stock-item'
import { isDuplicateKey, retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { AnyBulkWriteOperation, BulkWriteResult, Collection, Filter } from 'mongodb'
import { type Place, type SupplyChange, supplyKey } from './supply.js'
import type { SupplyIds } from './supply-ids.js'

interface SupplyDocument extends Omit<Supply, 'supply_date'> {
  /** `<product_id>:<pick_up_point_id>:<storage_id>` */
  _id: string
  product_erp_id: string
  supply_date: Date
  updated_at: Date
}

export interface SupplyFilter {
  product_erp_id?: string | undefined
  storage_id?: number | undefined
  pick_up_point_id?: number | undefined
}

export type OfferedSupply = Pick<Supply, 'product_id' | 'storage_id' | 'quantity' | 'selling_price' | 'delivery_days'>

export class SupplyStore {
  private readonly supplies: Collection<SupplyDocument>
  private readonly ids: SupplyIds

  constructor(supplies: Collection<SupplyDocument>, ids: SupplyIds) {
    this.supplies = supplies
    this.ids = ids
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.supplies, [
      { name: 'id_unique', key: { id: 1 }, options: { unique: true } },
      { name: 'product_erp_id', key: { product_erp_id: 1 } },
      { name: 'product_id', key: { product_id: 1 } },
      { name: 'storage_id', key: { storage_id: 1, id: 1 } },
      { name: 'pick_up_point_id', key: { pick_up_point_id: 1, id: 1 } },
    ])
  }

  /** Writes what the ERP sent, in one round trip: `reserved`, `shipped` and prices are set on creation only (stock rules 3–7). */
  async write(place: Place, changes: readonly SupplyChange[]): Promise<void> {
    if (changes.length === 0) return
    const ids = await this.ids.take(changes.length)
    const now = new Date()
    const operations = changes
      .map((change, at) => upsertOf(place, change, ids[at] as number, now))
      // all writers in one order: on FerretDB opposite orders block each other
      .sort((one, other) => (one.updateOne.filter._id < other.updateOne.filter._id ? -1 : 1))
    let attempts = 0
    const written = await retryConflicts(() =>
      retryDuplicates(() => {
        attempts += 1
        return this.supplies.bulkWrite(operations, { ordered: false })
      }),
    )
    // after a repetition it is not known which ids the first attempt used
    if (attempts === 1) this.ids.giveBack(unusedIds(operations, written))
  }

  /** Quantities as they stand now, for events whose batch is no longer in memory. */
  async quantities(place: Place, erpIds: readonly string[]): Promise<SupplyChange[]> {
    return this.supplies
      .find({ product_erp_id: { $in: [...erpIds] }, ...place })
      .project<SupplyChange>({ _id: 0, product_id: 1, product_erp_id: 1, quantity: 1 })
      .toArray()
  }

  async list(filter: SupplyFilter, { page, per_page }: PageRequest): Promise<Page<Supply>> {
    const wanted: Filter<SupplyDocument> = Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value !== undefined),
    )
    const [rows, total] = await Promise.all([
      this.supplies
        .find(wanted)
        .sort({ id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.supplies.countDocuments(wanted),
    ])
    return { data: rows.map(toSupply), total, page, per_page }
  }

  /** @returns undefined when there is no such supply */
  async patch(id: number, patch: SupplyPatch): Promise<Supply | undefined> {
    const found = await this.supplies.findOneAndUpdate(
      { id },
      { $set: { ...patch, updated_at: new Date() } },
      { returnDocument: 'after' },
    )
    return found ? toSupply(found) : undefined
  }

  /** What the search needs of the supplies of some products in some storages, by `id`. */
  async ofProducts(productIds: readonly number[], storageIds: readonly number[]): Promise<OfferedSupply[]> {
    if (productIds.length === 0 || storageIds.length === 0) return []
    return this.supplies
      .find({ product_id: { $in: [...productIds] }, storage_id: { $in: [...storageIds] } }, { sort: { id: 1 } })
      .project<OfferedSupply>({ _id: 0, product_id: 1, storage_id: 1, quantity: 1, selling_price: 1, delivery_days: 1 })
      .toArray()
  }

  count(filter: SupplyFilter): Promise<number> {
    return this.supplies.countDocuments(filter as Filter<SupplyDocument>)
  }
}

function upsertOf(place: Place, change: SupplyChange, id: number, now: Date) {
  const { quantity, supply_date, delivery_days } = change
  return {
    updateOne: {
      filter: { _id: supplyKey(change.product_id, place) },
      update: {
        $set: {
          quantity,
          updated_at: now,
          ...(supply_date && { supply_date }),
          ...(delivery_days !== undefined && { delivery_days }),
        },
        $setOnInsert: {
          id,
          product_id: change.product_id,
          product_erp_id: change.product_erp_id,
          pick_up_point_id: place.pick_up_point_id,
          storage_id: place.storage_id,
          purchase_price: null,
          selling_price: null,
          old_price: null,
          reserved: 0,
          shipped: 0,
          ...(!supply_date && { supply_date: now }),
          ...(delivery_days === undefined && { delivery_days: 0 }),
        },
      },
      upsert: true,
    },
  } satisfies AnyBulkWriteOperation<SupplyDocument>
}

function unusedIds(operations: ReadonlyArray<ReturnType<typeof upsertOf>>, written: BulkWriteResult): number[] {
  return operations.flatMap((operation, at) =>
    at in written.upsertedIds ? [] : [operation.updateOne.update.$setOnInsert.id],
  )
}

/** Two processes may create one supply at once; whoever came second finds it and updates it. */
async function retryDuplicates<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (attempt >= 5 || !isDuplicateKey(error)) throw error
    }
  }
}

function toSupply({ _id, product_erp_id, updated_at, supply_date, ...supply }: SupplyDocument): Supply {
  return { ...supply, supply_date: supply_date.toISOString() }
}
