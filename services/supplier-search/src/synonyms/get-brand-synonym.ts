import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { getBrandSynonym as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { SupplierSearchContext } from '../context.js'

/** `GET /brand-synonyms/:id` (admin.md#brand-synonyms). @throws AppError NOT_FOUND */
export async function getBrandSynonym(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const found = await ctx.synonyms.find(call.body.id)
  if (!found) throw new AppError('NOT_FOUND', texts.notFound)
  const { id, canonical, synonyms } = found
  return { id, canonical, synonyms }
}
