import type { PricingImportContext } from '../context.js'
import type { TaskStore } from './task-store.js'

const DAY_MS = 86_400_000

/**
 * Tasks that ended longer ago than the setting `retention_days` is now: they carry no date of expiry of their own, so that a
 * longer or shorter time holds for those already there. By the database's clock: one process with a wrong clock deletes nothing.
 * @throws AppError UNAVAILABLE while no gateway can tell the setting
 */
export async function overdueTasks(ctx: PricingImportContext): ReturnType<TaskStore['endedBefore']> {
  const { retention_days } = await ctx.settings()
  return ctx.tasks.endedBefore(new Date((await ctx.clock()) - retention_days * DAY_MS))
}
