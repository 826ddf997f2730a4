import { Injectable } from '@nestjs/common'
import type { Batch } from '@partsbus/contracts/batch'
import { contractViolation } from '@partsbus/contracts/violation'
import type { Call } from '@partsbus/platform/bus/call'
import { FullSyncStore, type SyncedKind } from './full-sync-store.js'

@Injectable()
export class FullSyncMarks {
  constructor(private readonly syncs: FullSyncStore) {}

  /**
   * Processes a batch, and marks its items as sent when the batch belongs to a full sync (erp.md#full-sync-3). A batch
   * without the header costs nothing.
   * @throws AppError CONTRACT_VIOLATION when the sync is not open
   */
  async process<Result>(
    kind: SyncedKind,
    call: Call<Batch<{ id_erp: string }>>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const id = call.fullSync
    if (id === undefined) return work()
    if ((await this.syncs.get(id))?.status !== 'open') {
      throw contractViolation({ 'x-full-sync': ['The selected x-full-sync is invalid. It must be open.'] })
    }
    const result = await work()
    await this.syncs.mark(
      id,
      kind,
      call.body.items.map((item) => item.id_erp),
    )
    return result
  }
}
