import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { deleteBrandSynonym as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { SupplierSearchContext } from '../context.js'

/** `DELETE /brand-synonyms/:id` (admin.md#brand-synonyms). @throws AppError NOT_FOUND */
export async function deleteBrandSynonym(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  if (!(await ctx.synonyms.delete(call.body.id))) throw new AppError('NOT_FOUND', texts.notFound)
  return {}
}
