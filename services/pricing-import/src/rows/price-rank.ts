/** Above all prices, which are at most 10^12. */
const NO_PRICE = 2e12
const NOT_IN_STOCK = 4e12

/**
 * Orders rows of the same brand and article for `duplicates: "cheapest"` (rules.md#duplicates): those in stock before
 * those that are not, then by price, those without a price last.
 */
export function priceRank({ price, quantity }: { price: number | null; quantity: number }): number {
  return (price ?? NO_PRICE) + (quantity > 0 ? 0 : NOT_IN_STOCK)
}

/** The price that went into a rank. */
export function rankedPrice(rank: number): number | null {
  const price = rank >= NOT_IN_STOCK ? rank - NOT_IN_STOCK : rank
  return price === NO_PRICE ? null : Math.round(price * 100) / 100
}
