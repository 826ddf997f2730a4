import { articleKey, brandKey } from '@partsbus/contracts/article'
import type { BrandRow } from './offer.js'

interface RowKeys {
  article: string
  brand: string
}

const known = new WeakMap<BrandRow, RowKeys>()

/** How the article and the brand of a row are compared. Worked out once: rows of a cached answer are merged again and again. */
export function rowKeys(row: BrandRow): RowKeys {
  let keys = known.get(row)
  if (!keys) {
    keys = { article: articleKey(row.article), brand: brandKey(row.brand) }
    known.set(row, keys)
  }
  return keys
}
