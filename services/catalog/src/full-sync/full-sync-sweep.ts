import { Injectable } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { CategoryStore, CategoryWriter } from '../categories/category-store.js'
import { deactivateCategories } from '../categories/deactivate-categories.js'
import type { Deactivation } from '../items/deactivate-items.js'
import type { NotSentFilter } from '../items/item-store.js'
import { deactivateProducts } from '../products/deactivate-products.js'
import { ProductStore, ProductWriter } from '../products/product-store.js'
import { type FullSyncDocument, FullSyncStore } from './full-sync-store.js'

/** Items deactivated at once. */
const CHUNK = 500
const LEASE = { leaseMs: 30_000, waitMs: 0, isRenewed: true }

/** Deactivates what a full sync that is being completed has not sent (erp.md#full-sync). */
@Injectable()
export class FullSyncSweep {
  constructor(
    private readonly syncs: FullSyncStore,
    private readonly leases: LeaseStore,
    private readonly categories: CategoryStore,
    private readonly categoryWriter: CategoryWriter,
    private readonly products: ProductStore,
    private readonly productWriter: ProductWriter,
  ) {}

  /** Goes on with the one that is being completed; another process may be at it. */
  async resume(isStopped: () => boolean): Promise<void> {
    if ((await this.syncs.findCurrent())?.status !== 'completing') return
    await this.leases
      .withLease('full-sync', LEASE, async (signal) => {
        const sync = await this.syncs.findCurrent()
        if (sync?.status !== 'completing') return
        const isDone = await this.deactivate(sync, () => isStopped() || signal.aborted)
        if (isDone) await this.syncs.change(sync._id, 'completing', { status: 'completed' })
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'OVERLOADED')) throw error
      })
  }

  /** @returns whether nothing is left to do */
  private async deactivate(sync: FullSyncDocument, isStopped: () => boolean): Promise<boolean> {
    const { products, productWriter, categories, categoryWriter } = this
    const targets = {
      products: { store: products, write: (call: Deactivation) => deactivateProducts(call, products, productWriter) },
      categories: {
        store: categories,
        write: (call: Deactivation) => deactivateCategories(call, categories, categoryWriter),
      },
    }
    for (const kind of sync.kinds) {
      const { store, write } = targets[kind]
      for (let afterId = 0; ;) {
        if (isStopped()) return false
        const found = await store.findNotSent(notSent(sync), afterId, CHUNK)
        if (found.length === 0) break
        await write({ body: { ids_erp: found.map(({ _id }) => _id) }, notSentIn: sync._id })
        afterId = found.at(-1)?.id ?? 0
      }
    }
    return true
  }
}

/** What was created since the start was sent by another batch, so that it exists in the ERP. */
export function notSent({ _id, started_at }: FullSyncDocument): NotSentFilter {
  return { fullSync: _id, createdBefore: started_at }
}
