import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Part } from '@partsbus/contracts/supplier-search/commands'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import type { BrandNames } from '../brand-synonyms/brand-names.js'
import type { Offer } from './offer.js'
import { sortedBy } from './order.js'
import { rowKeys } from './row-keys.js'
import type { StorageAnswer } from './storage-answer.js'

/** The most expensive parts beyond this number are omitted (partners.md#parts-limit). */
const MAX_PARTS = 5_000
/** Rows merged in one turn of the event loop: other queries go on between the slices. */
const SLICE = 5_000
/** Bytes of a part: a name of 1,000 characters and three texts of 191, of four bytes each, and the numbers. */
const LARGEST = 7_000

/**
 * Parts of an article and some brands (partners.md#part, partners.md#parts-3 to partners.md#parts-5): by price,
 * delivery time, brand, article and storage, missing values last. The order of the answers and rows does not matter.
 * @param wanted key of the article, and identities of the brands
 * @returns `total` counts the parts that were left out as well
 */
export async function mergeParts(
  answers: readonly StorageAnswer<Offer>[],
  names: BrandNames,
  wanted: { article: string; brands: ReadonlySet<string> },
): Promise<{ parts: Part[]; total: number }> {
  let parts: Part[] = []
  let seen = 0
  let total = 0
  for (const { storage, rows } of answers) {
    for (const row of rows) {
      seen += 1
      if (seen % SLICE === 0) await nextTurn()
      const keys = rowKeys(row)
      if (!wanted.brands.has(names.identityOfKey(keys.brand)) || keys.article !== wanted.article) continue
      const { article, name, quantity, price, delivery_days } = row
      parts.push({
        brand: names.displayName(keys.brand),
        article,
        name,
        quantity,
        ...(price !== undefined && { price }),
        ...(delivery_days !== undefined && { delivery_days }),
        storage_id: storage.id,
        storage_name: storage.name,
      })
      total += 1
      if (parts.length >= 2 * MAX_PARTS) parts = selectFirst(parts)
    }
  }
  return { parts: [...fitMessage(selectFirst(parts), LARGEST)], total }
}

function selectFirst(parts: readonly Part[]): Part[] {
  const sorted = sortedBy(parts, (part) => [
    part.price,
    part.delivery_days,
    part.brand,
    part.article,
    part.storage_id,
    part.name,
    part.quantity,
  ])
  return sorted.slice(0, MAX_PARTS)
}
