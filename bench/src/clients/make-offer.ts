import { articleKey, brandKey } from '@partsbus/contracts/article'
import { priceRow } from './price-rows.js'

export interface OfferRow {
  _id: number
  version: number
  article_key: string
  [field: string]: unknown
}

/** Room for the offers of one version, as in the product. */
const OFFERS_OF_VERSION = 2 ** 24

/** An offer of a generated list, as the import stores it. */
export function makeOffer(version: number, n: number, salt = 0): OfferRow {
  const { brand, article, name, quantity, price, days } = priceRow(n, salt)
  return {
    _id: version * OFFERS_OF_VERSION + n + 2,
    version,
    brand,
    article,
    name,
    quantity,
    price,
    delivery_days: days,
    brand_key: brandKey(brand),
    article_key: articleKey(article),
  }
}
