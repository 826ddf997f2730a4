import { Injectable } from '@nestjs/common'
import type { Batch } from '@partsbus/contracts/batch'
import { contractViolation } from '@partsbus/contracts/violation'
import type { Call } from '@partsbus/platform/bus/call'
import { LatestBatchStore } from '../overview/latest-batch-store.js'
import { FullSyncStore, type SyncedKind } from './full-sync-store.js'

/** The owner of the items that a batch sends. */
export interface SentItems {
  markSent(keys: readonly string[], fullSync: string): Promise<void>
}

/** What the upserting batches of the ERP have in common. */
@Injectable()
export class ErpBatches {
  constructor(
    private readonly latestBatch: LatestBatchStore,
    private readonly syncs: FullSyncStore,
  ) {}

  /**
   * Processes a batch: notes its time, and marks its items as sent when the batch belongs to a full sync
   * (erp.md#full-sync-3). A batch without the header is not marked. Stored items are marked before they are read: a
   * sweep that did not see the mark has deactivated them by then, and the batch restores them. New items are marked
   * when they exist: their time of creation spares them as well, unless the clocks of two processes differ.
   * @throws AppError CONTRACT_VIOLATION when the sync is not open
   */
  async process<Result>(
    kind: SyncedKind,
    call: Call<Batch<{ id_erp: string }>>,
    sent: SentItems,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.latestBatch.note()
    const id = call.fullSync
    if (id === undefined) return work()
    if ((await this.syncs.get(id))?.status !== 'open') {
      throw contractViolation({ 'x-full-sync': ['The selected x-full-sync is invalid. It must be open.'] })
    }
    const keys = call.body.items.map((item) => item.id_erp)
    await sent.markSent(keys, id)
    const result = await work()
    await sent.markSent(keys, id)
    await this.syncs.addKind(id, kind)
    return result
  }
}
