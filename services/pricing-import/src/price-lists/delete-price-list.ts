import { setTimeout as sleep } from 'node:timers/promises'
import { Controller, Inject } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { TaskStore } from '../import-tasks/task-store.js'
import { assertRevision, changedMeanwhile } from '@partsbus/contracts/revision'
import { PriceListDeletions } from './price-list-deletions.js'
import type { PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'
import { priceListView } from './price-list-view.js'

const ANSWER_MS = 2_000

@Controller()
export class DeletePriceList {
  constructor(
    private readonly lists: PriceListStore,
    private readonly tasks: TaskStore,
    private readonly deletions: PriceListDeletions,
    private readonly pausable: PausableWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * The list is hidden first, then its data is deleted (admin.md#price-list-delete). {@link PriceListDeletions}
   * finishes an interrupted deletion.
   * @throws AppError NOT_FOUND, CHANGED, or CONFLICT while an import of it runs or waits, or while it has import tasks
   */
  @Handles(contract.deletePriceList)
  async deletePriceList(call: CallOf<typeof contract.deletePriceList>): Promise<Record<string, never>> {
    const { id, with_history = false, if_revisions } = call.body
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    assertRevision(if_revisions, { ...priceListView(list), revision: list.revision })
    const refused = await this.findRefusal(list, with_history)
    if (refused) throw refused
    if (!(await this.lists.hide(id, if_revisions))) throw await this.hideRefused(list, if_revisions)
    // again: an import may have begun, and even ended, before the list was hidden
    const refusedSince = await this.findRefusal(list, with_history)
    if (refusedSince) {
      await this.lists.show(id)
      throw refusedSince
    }
    // read again: an import may have ended since the list was read
    const deleted = await this.lists.beginDeletion(id)
    if (!deleted) throw new AppError('NOT_FOUND', texts.notFound)
    // also after the reply
    const end = this.pausable.count('deletion of a price list')
    const work = this.deletions.deleteData(deleted).finally(end)
    work.catch((error: unknown) => this.log.warn({ err: error, list: id }, 'price list deletion failed, will retry'))
    // the rest of a large list is deleted after the reply
    await Promise.race([work, sleep(Math.max(0, Math.min(ANSWER_MS, call.timeLeft() - ANSWER_MS / 2)))])
    return {}
  }

  private async findRefusal(list: PriceListRecord, withHistory: boolean): Promise<AppError | undefined> {
    if ((await this.tasks.countOpen(list.id)) > 0) return importRuns(list)
    const tasks = withHistory ? 0 : await this.tasks.countOfList(list.id)
    return tasks > 0 ? hasHistory(list, tasks) : undefined
  }

  private async hideRefused(seen: PriceListRecord, accepted: readonly number[] | undefined): Promise<AppError> {
    const list = await this.lists.find(seen.id)
    if (list && accepted && !accepted.includes(list.revision))
      return changedMeanwhile({ ...priceListView(list), revision: list.revision })
    return importRuns(seen)
  }
}

function hasHistory(list: PriceListRecord, tasks: number): AppError {
  return new AppError(
    'CONFLICT',
    `The price list ${list.id} "${list.name}" has ${tasks} import task${tasks === 1 ? '' : 's'}. ` +
      'Send with_history=true to delete them too.',
  )
}

function importRuns(list: PriceListRecord): AppError {
  return new AppError('CONFLICT', `An import of the price list ${list.id} "${list.name}" is running or waiting.`)
}
