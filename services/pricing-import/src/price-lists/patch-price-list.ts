import { AppError } from '@partsbus/contracts/errors'
import type { PriceList } from '@partsbus/contracts/price-list'
import type { patchPriceList as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findList } from './find-list.js'
import { showPriceList } from './price-list-view.js'
import { requireStorage } from './require-storage.js'
import { sealSources } from './seal-sources.js'

const ATTEMPTS = 10

/**
 * `PATCH /price-lists/:id` (admin.md#price-lists): any subset; `format` and `sources` are replaced as a whole. Files that came before
 * are imported as the list was then.
 * @throws AppError NOT_FOUND, or CONTRACT_VIOLATION as in `createPriceList`
 */
export async function patchPriceList(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<PriceList> {
  const { id, patch } = call.body
  const { sources, ...fields } = patch
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stored = await findList(ctx, id)
    const sealed = sources && sealSources(sources, stored.sources, ctx.secrets)
    if (fields.storage_id !== undefined && fields.storage_id !== stored.storage_id)
      await requireStorage(ctx.parts.calls, fields.storage_id)
    // a run of a source that ends meanwhile has noted what it fetched, which is not to be lost
    if (await ctx.lists.patch(id, given, sealed && { sources: sealed, sources_rev: stored.sources_rev }))
      return showPriceList(await findList(ctx, id))
  }
  throw new AppError('CONFLICT', 'The price list is being changed by others; try again.')
}
