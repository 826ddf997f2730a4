import type { DuplicateIndex } from './duplicate-index.js'
import { rankedPrice } from './price-rank.js'

/** Up to so many rows all keys of a file are compared; of a larger one, those of every eighth partition. */
export const MAX_COMPARED_KEYS = 1_000_000
export const KEPT_ONE_IN = 8

/** Half a cent: prices have two decimals. */
const TOLERANCE = 0.005

/** A live offer that a file is compared with. */
export type ComparedOffer = [brandKey: string, articleKey: string, price: number | null]

/** Live offers in comparison with the rows of a file. */
export interface KeyComparison {
  /** those whose key could be compared */
  compared: number
  /** those that the file contains */
  found: number
  /** those that it contains at another price, those without a price in one of the two included */
  repriced: number
  /** without a price in the live offers */
  priceAdded: number
  /** without a price in the file */
  priceGone: number
}

export const noComparison = (): KeyComparison => ({ compared: 0, found: 0, repriced: 0, priceAdded: 0, priceGone: 0 })

/** @param keys of the file, with ranks kept */
export function compareKeys(keys: DuplicateIndex, offers: readonly ComparedOffer[]): KeyComparison {
  const comparison = noComparison()
  for (const [brand, article, price] of offers) {
    const rank = keys.rankOf(brand, article)
    if (rank === undefined) continue
    comparison.compared += 1
    if (rank === null) continue
    comparison.found += 1
    const now = rankedPrice(rank)
    if (isSamePrice(now, price)) continue
    comparison.repriced += 1
    if (price === null) comparison.priceAdded += 1
    if (now === null) comparison.priceGone += 1
  }
  return comparison
}

function isSamePrice(one: number | null, other: number | null): boolean {
  return one === null || other === null ? one === other : Math.abs(one - other) < TOLERANCE
}
