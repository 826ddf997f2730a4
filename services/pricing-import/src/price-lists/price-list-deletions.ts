import { Injectable } from '@nestjs/common'
import { SETTINGS_CHANGE_TIMEOUT_MS, setInSearch } from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/errors'
import { deleteStorage } from '@partsbus/contracts/stock/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { TaskCleanup } from '../import-tasks/task-cleanup.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import type { Creation, PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'

/** A list that stays hidden that long without a decision was left by a killed process. */
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
  ) {}

  /** Finishes the deletions, and takes back the creations, that killed processes left. */
  async finishDeletions(): Promise<void> {
    for (const { id, isDeleting } of await this.lists.hidden(UNDECIDED_MS)) {
      if (!isDeleting && (await this.tasks.countOpen(id)) > 0) {
        await this.lists.show(id)
        continue
      }
      const list = await this.lists.beginDeletion(id)
      if (!list) continue
      // who tried again since may rely on the storage and its place in the search
      const isUsed = (await this.lists.ofStorage(list.storage_id)).length > 0
      if (list.creation && !isUsed) await this.takeBack(list, list.creation)
      await this.deleteData(list)
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
   * Takes a creation back that did not get to its end (admin.md#price-list-storage). Nothing of it is left when the
   * outcome of each step is known; otherwise the clean-up does it again, when no step can be under way any more.
   */
  async abandon(id: number, isOutcomeKnown: boolean): Promise<void> {
    const list = await this.lists.beginDeletion(id)
    if (!list?.creation) return
    await this.takeBack(list, list.creation)
    if (isOutcomeKnown) await this.deleteData(list)
  }

  private async takeBack({ storage_id: id }: PriceListRecord, { has_storage, included_by }: Creation): Promise<void> {
    if (included_by)
      await this.calls.request(
        setInSearch,
        { id, in_search: false, caller: included_by },
        { timeoutMs: SETTINGS_CHANGE_TIMEOUT_MS },
      )
    if (!has_storage) return
    await this.calls.request(deleteStorage, { id }).catch((error: unknown) => {
      if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'CONFLICT')) throw error
    })
  }
}
