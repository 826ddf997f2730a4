import { AppError, texts } from '@partsbus/contracts/errors'
import type { deletePriceList as contract } from '@partsbus/contracts/pricing'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { forgetTask } from '../tasks/forget-task.js'
import type { PriceListRecord } from './price-list-record.js'

const ANSWER_MS = 2_000
/** A list that stays hidden that long without a decision was left by a killed process. */
const UNDECIDED_MS = 60_000

/**
 * `DELETE /price-lists/:id` (admin.md#price-list-delete). The list is hidden first, then its data is deleted; an interrupted deletion is
 * finished by {@link finishDeletions}.
 * @throws AppError NOT_FOUND, or CONFLICT while an import of it runs or waits, or while it has tasks that were not given up
 */
export async function deletePriceList(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<Record<string, never>> {
  const { id, with_history = false } = call.body
  const list = await ctx.lists.find(id)
  if (!list) throw new AppError('NOT_FOUND', texts.notFound)
  if ((await ctx.tasks.countOpen(id)) > 0) throw importRuns(list)
  const tasks = with_history ? 0 : await ctx.tasks.countOfList(id)
  if (tasks > 0) throw hasHistory(list, tasks)
  if (!(await ctx.lists.hide(id))) throw importRuns(list)
  if ((await ctx.tasks.countOpen(id)) > 0) {
    await ctx.lists.show(id)
    throw importRuns(list)
  }
  // read again: an import may have ended since the list was read
  const deleted = await ctx.lists.beginDeletion(id)
  if (!deleted) throw new AppError('NOT_FOUND', texts.notFound)
  const work = deleteData(ctx, deleted)
  work.catch((error: unknown) => ctx.parts.log.warn({ err: error, list: id }, 'price list deletion failed, will retry'))
  // the rest of a large list is deleted after the reply
  await Promise.race([work, sleep(Math.max(0, Math.min(ANSWER_MS, call.timeLeft() - ANSWER_MS / 2)))])
  return {}
}

/** Finishes the deletions that killed processes left. */
export async function finishDeletions(ctx: PricingImportContext): Promise<void> {
  for (const { id, isDeleting } of await ctx.lists.hidden(new Date((await ctx.clock()) - UNDECIDED_MS))) {
    if (!isDeleting && (await ctx.tasks.countOpen(id)) > 0) {
      await ctx.lists.show(id)
      continue
    }
    const list = await ctx.lists.beginDeletion(id)
    if (list) await deleteData(ctx, list)
  }
}

async function deleteData(ctx: PricingImportContext, list: PriceListRecord): Promise<void> {
  for (const task of await ctx.tasks.ofList(list.id)) {
    await ctx.offers.delete(task.id)
    await forgetTask(ctx, task)
  }
  for (const { version } of [...list.versions, ...list.removed]) await ctx.offers.delete(version)
  await ctx.lists.delete(list.id)
}

function hasHistory(list: PriceListRecord, tasks: number): AppError {
  return new AppError(
    'CONFLICT',
    `The price list ${list.id} "${list.name}" has ${tasks} import task${tasks === 1 ? '' : 's'}. Send with_history=true to delete them too.`,
  )
}

function importRuns(list: PriceListRecord): AppError {
  return new AppError('CONFLICT', `An import of the price list ${list.id} "${list.name}" is running or waiting.`)
}
