import type { ReplyOf } from '@partsbus/contracts/message'
import type { listBrandSynonyms as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { SupplierSearchContext } from '../context.js'

/** `GET /brand-synonyms` (admin.md#brand-synonyms), by `id`. */
export function listBrandSynonyms(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return ctx.synonyms.list(call.body)
}
