import { Injectable } from '@nestjs/common'
import { TaskCleanup } from '../import-tasks/task-cleanup.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { OfferStore } from '../offers/offer-store.js'
import type { PriceListRecord } from './price-list-record.js'
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
  ) {}

  /** Finishes the deletions that killed processes left. */
  async finishDeletions(): Promise<void> {
    for (const { id, isDeleting } of await this.lists.hidden(UNDECIDED_MS)) {
      if (!isDeleting && (await this.tasks.countOpen(id)) > 0) {
        await this.lists.show(id)
        continue
      }
      const list = await this.lists.beginDeletion(id)
      if (list) await this.deleteData(list)
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
}
