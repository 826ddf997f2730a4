import { articleKey, brandKey } from '@partsbus/contracts/article'
import type { RequestOf } from '@partsbus/contracts/message'
import type { exportOffers } from '@partsbus/contracts/pricing-import/commands'

/** Which offers of a version are read; an absent field: all. */
export interface OfferFilter {
  articleKey?: string
  brandKey?: string
  priceFrom?: number
  priceTo?: number
}

/** The filter of a call, by the keys that the search uses. */
export function offerFilter({
  article,
  brand,
  price_from: priceFrom,
  price_to: priceTo,
}: Pick<RequestOf<typeof exportOffers>, 'article' | 'brand' | 'price_from' | 'price_to'>): OfferFilter {
  return {
    ...(article !== undefined && { articleKey: articleKey(article) }),
    ...(brand !== undefined && { brandKey: brandKey(brand) }),
    ...(priceFrom !== undefined && { priceFrom }),
    ...(priceTo !== undefined && { priceTo }),
  }
}
