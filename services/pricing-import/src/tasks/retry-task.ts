import { AppError } from '@partsbus/contracts/errors'
import type { AdminImportTask } from '@partsbus/contracts/import-task'
import type { retryImportTask as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findList } from '../price-lists/find-list.js'
import { createTask } from '../uploads/create-task.js'
import { assertQueueHasRoom } from './assert-queue-has-room.js'
import { findTask } from './find-task.js'
import { showAdminTask } from './task-view.js'

/**
 * `POST /import-tasks/:id/retry` (admin.md#task-retry): a new task of the same file, by the list as it is now. Final states never change.
 * @throws AppError NOT_FOUND, or CONFLICT when the task has not failed, or its file is gone
 */
export async function retryTask(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<AdminImportTask> {
  const task = await findTask(ctx, call.body.id)
  if (task.status !== 'failed') throw new AppError('CONFLICT', 'Only a failed import can be retried.')
  const file = await ctx.files.find(task.file_id)
  if (!file) throw new AppError('CONFLICT', 'The file of the import is no longer kept.')
  const list = await findList(ctx, task.price_list_id)
  await assertQueueHasRoom(ctx, list.id)
  const { source_type, max_unpacked } = task
  const id = await createTask(ctx, list, file, { source_type, max_unpacked })
  return showAdminTask(await findTask(ctx, id), call.settings.admin_locale)
}
