import { AppError, texts } from '@partsbus/contracts/errors'
import type { PriceList } from '@partsbus/contracts/price-list'
import type { patchPriceList as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/call'
import type { PricingImportContext } from '../context.js'
import { carriedBy } from './create-price-list.js'
import { findList } from './find-list.js'
import { showPriceList } from './price-list-view.js'
import { requireStorage } from './require-storage.js'
import { sealSources } from './seal-sources.js'

/**
 * `PATCH /price-lists/:id` (admin document): any subset; `format` and `sources` are replaced as a whole. Files that came before
 * are imported as the list was then.
 * @throws AppError NOT_FOUND, or CONTRACT_VIOLATION as in `createPriceList`
 */
export async function patchPriceList(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<PriceList> {
  const { id, patch } = call.body
  const { sources, ...fields } = patch
  const stored = await findList(ctx, id)
  const sealed = sources === undefined ? {} : { sources: sealSources(sources, stored.sources, ctx.secrets) }
  if (fields.storage_id !== undefined && fields.storage_id !== stored.storage_id) await requireStorage(ctx.parts.calls, fields.storage_id)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (!(await ctx.lists.patch(id, { ...given, ...sealed, carried: carriedBy(call.settings) }))) throw new AppError('NOT_FOUND', texts.notFound)
  return showPriceList(await findList(ctx, id))
}
