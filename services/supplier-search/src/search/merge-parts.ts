import { articleKey } from '@partsbus/contracts/article'
import type { Part } from '@partsbus/contracts/search'
import type { BrandNames } from '../synonyms/brand-names.js'
import type { Offer } from './offer.js'
import { compareWith } from './order.js'
import type { StorageAnswer } from './storage-answer.js'

/** More than a page can show; beyond it the dearest are left out, as a message on the bus has its limit. */
const MAX_PARTS = 5_000

/**
 * Parts of an article and some brands (B2B document, get-parts rules 3 to 5): by price, delivery time, brand, article and
 * storage, missing values last. The order of the answers and of their rows does not matter.
 * @param wanted key of the article, and identities of the brands
 */
export function mergeParts(answers: readonly StorageAnswer<Offer>[], names: BrandNames, wanted: { article: string; brands: ReadonlySet<string> }): Part[] {
  const parts: Part[] = []
  for (const { storage, rows } of answers) {
    for (const { brand, article, name, quantity, price, delivery_days } of rows) {
      if (!wanted.brands.has(names.identity(brand)) || articleKey(article) !== wanted.article) continue
      parts.push({
        brand: names.shown(brand),
        article,
        name,
        quantity,
        ...(price !== undefined && { price }),
        ...(delivery_days !== undefined && { delivery_days }),
        storage_id: storage.id,
        storage_name: storage.name,
      })
    }
  }
  const order = compareWith<Part>((part) => [part.price, part.delivery_days, part.brand, part.article, part.storage_id, part.name, part.quantity])
  return parts.sort(order).slice(0, MAX_PARTS)
}
