import { AppError } from '@partsbus/contracts/errors'
import type { AdminImportTask } from '@partsbus/contracts/import-task'
import type { cancelImportTask as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { discardVersion } from '../imports/discard-version.js'
import { findTask } from './find-task.js'
import { showAdminTask } from './task-view.js'

/**
 * `POST /import-tasks/:id/cancel` (admin.md#task-cancel): the task ends as failed, the list stays as it is.
 * @throws AppError NOT_FOUND, or CONFLICT when it has ended or is being made live
 */
export async function cancelTask(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<AdminImportTask> {
  const task = await findTask(ctx, call.body.id)
  const cancelled = await ctx.tasks.cancel(task, 'The import was cancelled by an administrator.')
  if (!cancelled) throw new AppError('CONFLICT', 'The import has already finished or is being published.')
  await discardVersion(ctx, task)
  return showAdminTask(cancelled, call.settings.admin_locale)
}
