import type { ReplyOf } from '@partsbus/contracts/message'
import type { readTaskFile as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findTask } from './find-task.js'

const MAX_BYTES = 1024 * 1024

/** Bytes of a task's file, at most 1 MiB, fewer at its end. @throws AppError NOT_FOUND */
export async function readFile(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { id, offset, length } = call.body
  const { file_id } = await findTask(ctx, id)
  return new Uint8Array(await ctx.files.read(file_id, offset, Math.min(length, MAX_BYTES)))
}
