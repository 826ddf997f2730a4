import { Inject, Injectable } from '@nestjs/common'
import {
  findSettingsReferences,
  SETTINGS_CHANGE_TIMEOUT_MS,
  setInSearch,
} from '@partsbus/contracts/administration/settings-commands'
import { STORAGE_LEASE, storageLeaseKeeper } from '@partsbus/contracts/administration/storage-lease'
import { AppError } from '@partsbus/contracts/app-error'
import { deleteStorage } from '@partsbus/contracts/stock/commands'
import { withRemoteLease } from '@partsbus/platform/async/remote-lease'
import { BusClient } from '@partsbus/platform/bus/client'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { TaskCleanup } from '../import-tasks/task-cleanup.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import type { Creation, PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'

/** A list that stays hidden that long without a decision was left by a killed process; no step is under way. */
const UNDECIDED_MS = 60_000

/** Deletes what belongs to deleted price lists. */
@Injectable()
export class PriceListDeletions {
  constructor(
    private readonly lists: PriceListStore,
    private readonly tasks: TaskStore,
    private readonly offers: OfferStore,
    private readonly taskCleanup: TaskCleanup,
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Finishes the deletions, and takes back the creations, that killed processes left. */
  async finishDeletions(): Promise<void> {
    for (const { id, isDeleting } of await this.lists.hidden(UNDECIDED_MS)) {
      try {
        await this.finish(id, isDeleting)
      } catch (error) {
        if (isDatabaseDown(error)) throw error
        // another service is away: that keeps no other list from being deleted
        this.log.warn({ err: error, list: id }, 'deletion of a price list not finished, will retry')
      }
    }
  }

  async deleteData(list: PriceListRecord): Promise<void> {
    for (const task of await this.tasks.ofList(list.id)) {
      await this.offers.delete(task.id)
      await this.taskCleanup.deleteTask(task)
    }
    for (const { version } of [...list.versions, ...list.removed]) await this.offers.delete(version)
    await this.lists.delete(list.id)
  }

  /**
   * Ends a creation that failed, so that it cannot be completed any more (admin.md#price-list-storage).
   * @param isRefused nothing is under way, and the caller holds the lease of storages: its storage is deleted at once.
   * The search is the last step, so a refused creation has not changed it. Otherwise the clean-up takes back what was
   * made, when no step can be under way any more.
   */
  async abandon(id: number, isRefused: boolean): Promise<void> {
    const list = await this.lists.beginDeletion(id)
    if (!list?.creation || !isRefused) return
    await this.deleteUnusedStorage(list, list.creation)
    await this.deleteData(list)
  }

  private async finish(id: number, isDeleting: boolean): Promise<void> {
    if (!isDeleting && (await this.tasks.countOpen(id)) > 0) {
      await this.lists.show(id)
      return
    }
    const list = await this.lists.beginDeletion(id)
    if (!list) return
    if (list.creation) await this.takeBack(list, list.creation)
    await this.deleteData(list)
  }

  private takeBack(list: PriceListRecord, creation: Creation): Promise<void> {
    const { id, storage_id } = list
    return withRemoteLease(storageLeaseKeeper(this.calls), STORAGE_LEASE, async (signal) => {
      // who tried again since may rely on its place in the search
      if (creation.included_by && !(await this.lists.namesStorage(storage_id, { after: id })))
        await this.calls.request(
          setInSearch,
          { id: storage_id, in_search: false, caller: creation.included_by },
          { timeoutMs: SETTINGS_CHANGE_TIMEOUT_MS },
        )
      signal.throwIfAborted()
      await this.deleteUnusedStorage(list, creation)
    })
  }

  /** The storage that was created for the list stays when another list or a setting names it, or it has supplies. */
  private async deleteUnusedStorage({ id, storage_id }: PriceListRecord, { has_storage }: Creation): Promise<void> {
    if (!has_storage || (await this.lists.namesStorage(storage_id, { besides: id }))) return
    const { settings } = await this.calls.request(findSettingsReferences, { kind: 'storage', id: storage_id })
    if (settings.length > 0) return
    await this.calls.request(deleteStorage, { id: storage_id }).catch((error: unknown) => {
      if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'CONFLICT')) throw error
    })
  }
}
