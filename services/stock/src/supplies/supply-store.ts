import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Revised } from '@partsbus/contracts/revision'
import type { Supply, SupplyPatch } from '@partsbus/contracts/stock/stock-item'
import { matchRevisions } from '@partsbus/platform/mongo/match-revisions'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { listById } from '@partsbus/platform/mongo/read-by-id'
import { type Collection, Db, type Filter } from 'mongodb'
import { type Location, type PriceChange, type SupplyChange, supplyKey } from './plan-supplies.js'
import type { SupplyDocument } from './supply-document.js'
import { SupplyIds } from './supply-ids.js'
import { SupplyWriteStore } from './supply-write-store.js'
import { priceWrite, stockWrite, type SupplyWrite } from './supply-writes.js'

export interface SupplyFilter {
  product_erp_id?: string | undefined
  storage_id?: number | undefined
  pick_up_point_id?: number | undefined
}

/** One supply in an event. */
export interface SupplyQuantity {
  product_id: number
  product_erp_id: string
  quantity: number
  revision: number
}

export type OfferedSupply = Pick<Supply, 'product_id' | 'storage_id' | 'quantity' | 'selling_price' | 'delivery_days'>

@Injectable()
export class SupplyStore implements OnModuleInit {
  private readonly supplies: Collection<SupplyDocument>
  private readonly writer: SupplyWriteStore
  private knownProductId = 0

  constructor(
    db: Db,
    private readonly ids: SupplyIds,
  ) {
    this.supplies = db.collection('supplies')
    this.writer = new SupplyWriteStore(this.supplies, ids)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(
      this.supplies,
      [
        // not unique: the counter allocates each id once (docs/decisions/0041-plain-indexes-of-ids.md)
        { name: 'id', key: { id: 1 } },
        { name: 'product_erp_id', key: { product_erp_id: 1 } },
        { name: 'product_id', key: { product_id: 1 } },
        { name: 'storage_id', key: { storage_id: 1, id: 1 } },
        { name: 'pick_up_point_id', key: { pick_up_point_id: 1, id: 1 } },
      ],
      ['id_unique'],
    )
    await this.ids.startAbove(() => highestId(this.supplies, 'id'))
  }

  /**
   * Writes the stock that the ERP sent; `reserved`, `shipped` and prices are set on creation only
   * (erp.md#stocks-3 to erp.md#stocks-7).
   * @returns the supplies that were created, in their first revision
   */
  write(location: Location, changes: readonly SupplyChange[]): Promise<SupplyQuantity[]> {
    const now = new Date()
    return this.writeAll(changes.map((change) => stockWrite(location, change, now)))
  }

  /**
   * The same for prices; quantity and delivery are set on creation only (erp.md#prices-2 to erp.md#prices-4). An
   * administrator's change of an older state is refused, since administrators write prices, too.
   */
  writePrices(location: Location, changes: readonly PriceChange[]): Promise<SupplyQuantity[]> {
    const now = new Date()
    return this.writeAll(changes.map((change) => priceWrite(location, change, now)))
  }

  private async writeAll(writes: SupplyWrite[]): Promise<SupplyQuantity[]> {
    return (await this.writer.write(writes)).map(({ product_id, product_erp_id, quantity, revision = 0 }) => {
      return { product_id, product_erp_id, quantity, revision }
    })
  }

  /** 0 without supplies. */
  async highestProductId(): Promise<number> {
    this.knownProductId = await highestId(this.supplies, 'product_id', this.knownProductId)
    return this.knownProductId
  }

  /** The stored quantities of these products. */
  async quantities(location: Location, productIds: readonly number[]): Promise<SupplyQuantity[]> {
    if (productIds.length === 0) return []
    return this.findQuantities({ _id: { $in: productIds.map((id) => supplyKey(id, location)) } })
  }

  /** The same for an event whose batch is no longer in memory. */
  quantitiesByErpId(location: Location, erpIds: readonly string[]): Promise<SupplyQuantity[]> {
    return this.findQuantities({ product_erp_id: { $in: [...erpIds] }, ...location })
  }

  async list(filter: SupplyFilter, { page, per_page }: PageRequest): Promise<Page<Supply>> {
    const selection: Filter<SupplyDocument> = Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value !== undefined),
    )
    const range = { after: 0, skip: (page - 1) * per_page, limit: per_page }
    const [rows, total] = await Promise.all([
      listById(this.supplies, selection, range),
      this.supplies.countDocuments(selection),
    ])
    return { data: rows.map((row) => toSupply(row)), total, page, per_page }
  }

  async get(id: number): Promise<Revised<Supply> | undefined> {
    const found = await this.supplies.findOne({ id })
    return found ? toRevisedSupply(found) : undefined
  }

  /** @returns undefined when the supply is gone, or its revision is not accepted */
  async patch(id: number, patch: SupplyPatch, accepted?: readonly number[]): Promise<Revised<Supply> | undefined> {
    const found = await this.supplies.findOneAndUpdate(
      { id, ...matchRevisions(accepted, 'edits') },
      { $set: { ...patch, updated_at: new Date() }, $inc: { edits: 1 } },
      { returnDocument: 'after' },
    )
    return found ? toRevisedSupply(found) : undefined
  }

  /** Supplies of these products at one location. */
  async findAt(location: Location, productIds: readonly number[]): Promise<Supply[]> {
    const found = await this.supplies
      .find({ _id: { $in: productIds.map((id) => supplyKey(id, location)) } }, { batchSize: productIds.length + 1 })
      .toArray()
    return found.map((row) => toSupply(row))
  }

  /** Supplies of these products in these storages, by `id`. */
  async findOffered(productIds: readonly number[], storageIds: readonly number[]): Promise<OfferedSupply[]> {
    if (productIds.length === 0 || storageIds.length === 0) return []
    return this.supplies
      .find({ product_id: { $in: [...productIds] }, storage_id: { $in: [...storageIds] } }, { sort: { id: 1 } })
      .project<OfferedSupply>({ _id: 0, product_id: 1, storage_id: 1, quantity: 1, selling_price: 1, delivery_days: 1 })
      .toArray()
  }

  private async findQuantities(filter: Filter<SupplyDocument>): Promise<SupplyQuantity[]> {
    const rows = await this.supplies
      // a whole batch in one round trip
      .find(filter, { batchSize: 10_000 })
      .project<Partial<SupplyQuantity>>({ _id: 0, product_id: 1, product_erp_id: 1, quantity: 1, revision: 1 })
      .toArray()
    return rows.map((row) => ({ revision: 0, ...row }) as SupplyQuantity)
  }

  /** From the statistics of the database; it may be off after a crash. */
  estimateCount(): Promise<number> {
    return this.supplies.estimatedDocumentCount({ maxTimeMS: 1_000 })
  }

  count(filter: SupplyFilter): Promise<number> {
    return this.supplies.countDocuments(filter as Filter<SupplyDocument>)
  }
}

function toSupply({
  _id,
  product_erp_id,
  updated_at,
  revision,
  edits,
  supply_date,
  ...supply
}: SupplyDocument): Supply {
  return { ...supply, supply_date: supply_date.toISOString() }
}

/** The ERP's stock updates write other fields than administrators do, so they do not count. */
function toRevisedSupply(document: SupplyDocument): Revised<Supply> {
  return { ...toSupply(document), revision: document.edits ?? 0 }
}
