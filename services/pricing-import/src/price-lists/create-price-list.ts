import type { PriceList } from '@partsbus/contracts/price-list'
import type { createPriceList as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { findList } from './find-list.js'
import { showPriceList } from './price-list-view.js'
import { requireStorage } from './require-storage.js'
import { sealSources } from './seal-sources.js'

/**
 * `POST /price-lists` (admin.md#price-lists): active, replacing, without markup unless said otherwise.
 * @throws AppError CONTRACT_VIOLATION for a storage that is not there, or a source that cannot run
 */
export async function createPriceList(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<PriceList> {
  const {
    name,
    storage_id,
    is_active = true,
    mode = 'replace',
    markup_percent = 0,
    min_rows_ratio = null,
    delivery_days = null,
    format = {},
    sources = [],
  } = call.body
  const sealed = sealSources(sources, [], ctx.secrets)
  await requireStorage(ctx.parts.calls, storage_id)
  const id = await ctx.counters.allocate('price_lists', 1)
  await ctx.lists.insert(id, {
    name,
    storage_id,
    is_active,
    mode,
    markup_percent,
    min_rows_ratio,
    delivery_days,
    format,
    sources: sealed,
  })
  return showPriceList(await findList(ctx, id))
}
