import { fitMessage } from '@partsbus/platform/bus/fit-message'

interface Priced {
  storage_id: number
  brand: string
  price: number | null
}

/** Bytes: a name of 1,000 characters, brand and article of 191, each of four bytes, and the numbers. */
const LARGEST = 6_000

/**
 * Offers that fit into one reply. If an article has too many, the cheapest offer of each brand in each storage is
 * selected first, then the cheapest of the rest. So no brand is lost, and the omitted offers would have come last.
 */
export function fitOffers<Offer extends Priced>(offers: readonly Offer[]): Offer[] {
  if (fitMessage(offers, LARGEST).length === offers.length) return [...offers]
  const cheapestFirst = [...offers].sort((one, other) => (one.price ?? Infinity) - (other.price ?? Infinity) || 0)
  const brands = new Set<string>()
  const [firsts, others]: [Offer[], Offer[]] = [[], []]
  for (const offer of cheapestFirst) {
    const key = `${offer.storage_id} ${offer.brand}`
    if (brands.has(key)) others.push(offer)
    else firsts.push(offer)
    brands.add(key)
  }
  return [...fitMessage([...firsts, ...others], LARGEST)]
}
