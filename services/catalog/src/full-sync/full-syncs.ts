import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/full-sync'
import {
  type FullSync,
  type FullSyncCounts,
  MAX_NOT_SENT,
  type NotSentPage,
} from '@partsbus/contracts/catalog/full-sync'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CategoryStore } from '../categories/category-store.js'
import { ProductStore } from '../products/product-store.js'
import { type FullSyncDocument, FullSyncStore, fullSyncView, type SyncedKind } from './full-sync-store.js'
import { FullSyncSweep, notSent } from './full-sync-sweep.js'

/** Time for the answer, in ms; the sweep goes on with what is left. */
const RESERVE_MS = 5_000

/** erp.md#full-sync */
@Controller()
export class FullSyncs {
  constructor(
    private readonly syncs: FullSyncStore,
    private readonly sweep: FullSyncSweep,
    private readonly categoryStore: CategoryStore,
    private readonly productStore: ProductStore,
  ) {}

  /** @throws AppError CONFLICT with the one that is open */
  @Handles(contract.startFullSync)
  async startFullSync(): Promise<FullSync> {
    const started = await this.syncs.start()
    if (started) return fullSyncView(started)
    const current = await this.syncs.findCurrent()
    const details = current && { details: { full_sync: fullSyncView(current) } }
    throw new AppError('CONFLICT', 'A full sync is in progress.', details)
  }

  @Handles(contract.getFullSync)
  async getFullSync({ body }: CallOf<typeof contract.getFullSync>): Promise<FullSync> {
    return fullSyncView(await this.find(body.id))
  }

  /**
   * What completing it now would deactivate.
   * @throws AppError CONFLICT when it is not open: the items are marked by the latest sync that sent them
   */
  @Handles(contract.listNotSent)
  async listNotSent({ body }: CallOf<typeof contract.listNotSent>): Promise<NotSentPage> {
    const sync = await this.find(body.id)
    if (sync.status !== 'open') throw notOpen()
    if (!sync.kinds.includes(body.kind)) return { ids_erp: [], next_after: null }
    const store = body.kind === 'products' ? this.productStore : this.categoryStore
    const found = await store.findNotSent(notSent(sync), body.after ?? 0, MAX_NOT_SENT + 1)
    const page = found.slice(0, MAX_NOT_SENT)
    return {
      ids_erp: page.map(({ _id }) => _id),
      next_after: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
    }
  }

  /** @throws AppError CONFLICT when it has been completed */
  @Handles(contract.cancelFullSync)
  async cancelFullSync({ body }: CallOf<typeof contract.cancelFullSync>): Promise<FullSync> {
    await this.syncs.change(body.id, 'open', { status: 'cancelled' })
    const sync = await this.find(body.id)
    if (sync.status !== 'cancelled') throw notOpen()
    return fullSyncView(sync)
  }

  /**
   * Deactivates what was not sent. May be repeated: one that is being completed goes on, a completed one stays.
   * @throws AppError CONFLICT with the counts when it would be too much, or when it was cancelled
   */
  @Handles(contract.completeFullSync)
  async completeFullSync(call: CallOf<typeof contract.completeFullSync>): Promise<FullSync> {
    const sync = await this.find(call.body.id)
    if (sync.status === 'cancelled') throw notOpen()
    if (sync.status === 'open') {
      const counts = await this.count(sync)
      if (isTooMuch(counts, call.body.max_deactivated_percent))
        throw new AppError('CONFLICT', 'More items would be deactivated than allowed.', { details: { counts } })
      const deactivated = { categories: counts.categories.not_sent, products: counts.products.not_sent }
      await this.syncs.change(sync._id, 'open', { status: 'completing', deactivated })
    }
    const end = performance.now() + call.timeLeft() - RESERVE_MS
    await this.sweep.resume(() => performance.now() > end)
    return fullSyncView(await this.find(sync._id))
  }

  private async find(id: string): Promise<FullSyncDocument> {
    const sync = await this.syncs.get(id)
    if (!sync) throw new AppError('NOT_FOUND', texts.notFound)
    return sync
  }

  private async count(sync: FullSyncDocument): Promise<FullSyncCounts> {
    const [categories, products] = await Promise.all([
      this.categoryStore.countNotSent(notSent(sync)),
      this.productStore.countNotSent(notSent(sync)),
    ])
    const none = (kind: SyncedKind) => !sync.kinds.includes(kind) && { not_sent: 0 }
    return { categories: { ...categories, ...none('categories') }, products: { ...products, ...none('products') } }
  }
}

function notOpen(): AppError {
  return new AppError('CONFLICT', 'The full sync is not open.')
}

function isTooMuch(counts: FullSyncCounts, percent: number): boolean {
  return Object.values(counts).some(({ active, not_sent }) => not_sent > (active * percent) / 100)
}
