import { AppError } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { createBrandSynonym as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { SupplierSearchContext } from '../context.js'
import { checkSpellings, distinct } from './check-spellings.js'

/**
 * `POST /brand-synonyms` (admin.md#brand-synonyms).
 * @throws AppError CONTRACT_VIOLATION when a spelling belongs to another group
 */
export async function createBrandSynonym(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const fields = distinct({ canonical: call.body.canonical, synonyms: call.body.synonyms ?? [] })
  await checkSpellings(ctx, fields)
  const created = await ctx.synonyms.insert(fields)
  if (created) return created
  // somebody else was quicker with one of the spellings; the second look names it
  await checkSpellings(ctx, fields)
  throw new AppError('CONFLICT', 'Another group with one of these spellings came and went; send it again.')
}
