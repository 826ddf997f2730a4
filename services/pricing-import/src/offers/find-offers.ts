import type { findOffers as contract } from '@partsbus/contracts/pricing'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import { fitOffers } from './fit-offers.js'
import { MAX_FOUND } from './offer-store.js'

/** Live offers of the active lists of some storages; those with a quantity of 0 are not offered (rules.md#importable). */
export async function findOffers(
  ctx: PricingImportContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { storage_ids, article_key, brand_keys } = call.body
  const { storageOf, offers } = await ctx.liveOffers.find(storage_ids, article_key, brand_keys)
  const found = fitOffers(
    offers.map(({ version, brand, article, name, quantity, price, delivery_days }) => ({
      storage_id: storageOf.get(version) ?? 0,
      brand,
      article,
      name,
      quantity,
      price,
      delivery_days,
    })),
  )
  const isCut = found.length < offers.length || offers.length >= MAX_FOUND
  return isCut ? { offers: found, is_cut: true } : { offers: found }
}
