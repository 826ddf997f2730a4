import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { runSource as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findList } from '../price-lists/find-list.js'
import type { RunResult } from './import-source.js'

const REPLY_MS = 500

/**
 * `POST /price-lists/:id/sources/:source_id/run` (admin.md#source-run). A fetch that outlasts the call goes on; `last_run` tells of it.
 * @throws AppError NOT_FOUND
 */
export async function runSource(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { id, source_id } = call.body
  const list = await findList(ctx, id)
  if (!list.sources.some((source) => source.id === source_id)) throw new AppError('NOT_FOUND', texts.notFound)
  const late: RunResult = {
    outcome: 'unchanged',
    message: 'The file is still being fetched; last_run will tell what came of it.',
    task_id: null,
  }
  let timer: NodeJS.Timeout | undefined
  const timeOver = new Promise<RunResult>((done) => {
    timer = setTimeout(() => done(late), Math.max(0, call.timeLeft() - REPLY_MS))
  })
  try {
    const { task_id, message } = await Promise.race([ctx.sources.run(id, source_id, call.settings), timeOver])
    return { task_id, message }
  } finally {
    clearTimeout(timer)
  }
}
