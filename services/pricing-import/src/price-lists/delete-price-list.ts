import { AppError, texts } from '@partsbus/contracts/errors'
import type { deletePriceList as contract } from '@partsbus/contracts/pricing'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { forgetTask } from '../tasks/forget-task.js'
import type { PriceListRecord } from './price-list-record.js'

const ANSWER_MS = 2_000

/**
 * `DELETE /price-lists/:id` (admin.md#price-list-delete). The list is hidden first: from then on nobody finds it, and its data go; a deletion
 * that is broken off is finished by {@link finishDeletions}.
 * @throws AppError NOT_FOUND, or CONFLICT while an import of it runs or waits
 */
export async function deletePriceList(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<Record<string, never>> {
  const { id } = call.body
  const list = await ctx.lists.find(id)
  if (!list) throw new AppError('NOT_FOUND', texts.notFound)
  if ((await ctx.tasks.countOpen(id)) > 0 || !(await ctx.lists.hide(id))) throw importRuns(list)
  if ((await ctx.tasks.countOpen(id)) > 0) {
    await ctx.lists.show(id)
    throw importRuns(list)
  }
  const work = deleteData(ctx, list)
  work.catch((error: unknown) => ctx.parts.log.warn({ err: error, list: id }, 'price list not deleted in full yet'))
  // of a large list the rest goes behind the answer, or, when the process dies, by finishDeletions
  await Promise.race([work, sleep(Math.max(0, Math.min(ANSWER_MS, call.timeLeft() - ANSWER_MS / 2)))])
  return {}
}

/** Finishes what a killed process left half deleted. */
export async function finishDeletions(ctx: PricingImportContext): Promise<void> {
  for (const list of await ctx.lists.hidden()) {
    if ((await ctx.tasks.countOpen(list.id)) === 0) await deleteData(ctx, list)
  }
}

async function deleteData(ctx: PricingImportContext, list: PriceListRecord): Promise<void> {
  for (const task of await ctx.tasks.ofList(list.id)) await forgetTask(ctx, task)
  for (const { version } of [...list.versions, ...list.removed]) await ctx.offers.delete(version)
  await ctx.lists.delete(list.id)
}

function importRuns(list: PriceListRecord): AppError {
  return new AppError('CONFLICT', `An import of the price list ${list.id} "${list.name}" is running or waiting.`)
}
