import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { patchBrandSynonym as contract } from '@partsbus/contracts/search'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { SupplierSearchContext } from '../context.js'
import { checkSpellings, distinct } from './check-spellings.js'

const ATTEMPTS = 5

/**
 * `PATCH /brand-synonyms/:id` (admin.md#brand-synonyms); `synonyms` is replaced as a whole.
 * @throws AppError NOT_FOUND, or CONTRACT_VIOLATION when a spelling belongs to another group
 */
export async function patchBrandSynonym(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { id, patch } = call.body
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stored = await ctx.synonyms.find(id)
    if (!stored) throw new AppError('NOT_FOUND', texts.notFound)
    const fields = distinct({
      canonical: patch.canonical ?? stored.canonical,
      synonyms: patch.synonyms ?? stored.synonyms,
    })
    await checkSpellings(ctx, fields, id)
    const written = await ctx.synonyms.replace({ id, rev: stored.rev, ...fields })
    if (written === 'done') return { id, ...fields }
  }
  throw new AppError('CONFLICT', 'Others are changing this group; send it again.')
}
