import { articleKey, brandKey } from '@partsbus/contracts/article'
import type { BrandRow } from './offer.js'

interface RowKeys {
  article: string
  brand: string
}

const known = new WeakMap<Readonly<BrandRow>, RowKeys>()

/**
 * The keys by which article and brand are compared. Computed once: the rows of a cached reply are merged many times.
 */
export function rowKeys(row: Readonly<BrandRow>): RowKeys {
  let keys = known.get(row)
  if (!keys) {
    keys = { article: articleKey(row.article), brand: brandKey(row.brand) }
    known.set(row, keys)
  }
  return keys
}
