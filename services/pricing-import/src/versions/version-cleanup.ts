import { Inject, Injectable } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { PricingImportConfig } from '../config.js'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import { VersionStore } from './version-store.js'

/** A frozen worker may write into a version after it was deleted; deleting again for a while catches that. */
const FORGET_AFTER_MS = 15 * 60_000

/** Deletes the rows of removed versions. */
@Injectable()
export class VersionCleanup {
  constructor(
    private readonly versions: VersionStore,
    private readonly tasks: TaskStore,
    private readonly offers: OfferStore,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
  ) {}

  /**
   * Schedules the rows of a task that ended without going live for deletion. The task is marked `discarded` until then,
   * so that the clean-up finishes what a killed process left.
   */
  async discard({ id, price_list_id }: Pick<ImportTaskRecord, 'id' | 'price_list_id'>): Promise<void> {
    await this.versions.remove(price_list_id, id)
    await this.tasks.settleDiscarded(id)
  }

  async discardFailed(): Promise<void> {
    for (const task of await this.tasks.discarded()) await this.discard(task)
  }

  /** Waits a minute after a version was dropped: readers may still be reading it. */
  async deleteRemoved(): Promise<void> {
    const { IMPORT_REMOVE_AFTER_MS } = this.config
    for (const { list, version, removedForMs } of await this.versions.removedFor(IMPORT_REMOVE_AFTER_MS)) {
      await this.offers.delete(version)
      if (removedForMs > FORGET_AFTER_MS + IMPORT_REMOVE_AFTER_MS) await this.versions.forgetRemoved(list, version)
    }
  }
}
