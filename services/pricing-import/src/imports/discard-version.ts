import type { PricingImportContext } from '../context.js'
import type { ImportTaskRecord } from '../tasks/import-task-record.js'

/**
 * Schedules the rows of a task that ended without going live for deletion. The task is marked `discarded` until then, so
 * that the clean-up finishes what a killed process left.
 */
export async function discardVersion(
  ctx: PricingImportContext,
  { id, price_list_id }: Pick<ImportTaskRecord, 'id' | 'price_list_id'>,
): Promise<void> {
  await ctx.versions.remove(price_list_id, id, new Date(await ctx.clock()))
  await ctx.tasks.settleDiscarded(id)
}
