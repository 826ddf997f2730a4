import { AppError, texts } from '@partsbus/contracts/errors'
import type { acceptUpload as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { assertQueueHasRoom } from '../tasks/assert-queue-has-room.js'
import { createTask, keepFile } from './create-task.js'
import { withUpload } from './with-upload.js'

/**
 * Takes an uploaded file over (partners.md#upload-1). When it answers, file
 * and task are durable.
 * @throws AppError NOT_FOUND, INACTIVE_LIST, INVALID_FILE with `details.reason`, STORE_FAILED
 */
export async function acceptUpload(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<{ task_id: number }> {
  const { price_list_id, ...upload } = call.body
  const { 'price-lists.import.max_file_size': maxFileSize } = call.settings
  const list = await ctx.lists.find(price_list_id)
  if (!list?.is_active) {
    ctx.uploads.drop(upload.object)
    throw list ? new AppError('INACTIVE_LIST', 'Price list is not active.') : new AppError('NOT_FOUND', texts.notFound)
  }
  await assertQueueHasRoom(ctx, price_list_id).catch((error: unknown) => {
    ctx.uploads.drop(upload.object)
    throw error
  })
  return withUpload(ctx, upload, maxFileSize, call.timeLeft(), async (file) => {
    const kept = await keepFile(ctx, file)
    return { task_id: await createTask(ctx, list, kept, { source_type: 'manual', max_unpacked: file.maxUnpacked }) }
  })
}
