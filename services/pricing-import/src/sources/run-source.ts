import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { runSource as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/call'
import type { PricingImportContext } from '../context.js'
import { findList } from '../price-lists/find-list.js'

/** `POST /price-lists/:id/sources/:source_id/run` (admin document). @throws AppError NOT_FOUND */
export async function runSource(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
  const list = await findList(ctx, call.body.id)
  const source = list.sources.find(({ id }) => id === call.body.source_id)
  if (!source) throw new AppError('NOT_FOUND', texts.notFound)
  return { task_id: null, message: `Sources of the kind ${source.kind} cannot be fetched.` }
}
