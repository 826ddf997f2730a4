import { Injectable } from '@nestjs/common'
import { type Collection, Db } from 'mongodb'
import { LIST_TIMEOUT_MS } from '../items/item-store.js'

/** Counts that run at the same time; each reads an index. */
const PARALLEL = 5

/** How many products link to each category. */
@Injectable()
export class LinkedProductStore {
  private readonly products: Collection<{ _id: string; category_erp_ids: string[] }>

  constructor(db: Db) {
    this.products = db.collection('products')
  }

  async countLinked(erpIds: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (let start = 0; start < erpIds.length; start += PARALLEL) {
      await Promise.all(
        erpIds.slice(start, start + PARALLEL).map(async (erpId) => {
          const filter = { category_erp_ids: erpId }
          counts.set(erpId, await this.products.countDocuments(filter, { maxTimeMS: LIST_TIMEOUT_MS }))
        }),
      )
    }
    return counts
  }
}
