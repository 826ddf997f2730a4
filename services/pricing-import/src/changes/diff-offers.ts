import type { ChangeKind } from '@partsbus/contracts/pricing-import/change-kinds'
import type { PlacedValues } from '../offers/offer-store.js'
import { HashTable } from '../rows/hash-table.js'
import { KeyHash } from '../rows/key-hash.js'
import { OfferChanges } from './offer-changes.js'

/** In the table: the key is in the newer version alone. Places of offers are smaller. */
const ADDED = 2 ** 32 - 1

/**
 * Compares all offers of an older version with all of a newer one, which are added in the order of their places: first
 * those of the older one. Of several offers with the same key in one version the first one counts; imports leave none.
 * An offer takes 16 bytes and a key 24 to 48, so that neither names nor articles are in memory. Keys are compared by
 * 64 bits of a hash; quantity, days and name by 32.
 */
export class OfferDiff {
  private readonly table = new HashTable()
  private readonly key = new KeyHash()
  private readonly rest = new KeyHash()
  private readonly places: Uint32Array
  private readonly prices: Float64Array
  private readonly rests: Uint32Array
  private readonly changes: OfferChanges
  private oldCount = 0

  /** @param oldRows offers of the older version at most, and `newRows` of the newer one */
  constructor(oldRows: number, newRows: number) {
    this.places = new Uint32Array(oldRows)
    this.prices = new Float64Array(oldRows)
    this.rests = new Uint32Array(oldRows)
    this.changes = new OfferChanges(oldRows + newRows)
  }

  addOld(offer: PlacedValues): void {
    const { high, low } = this.hashKey(offer)
    if (this.table.has(high, low)) return
    this.places[this.oldCount] = offer.place
    this.prices[this.oldCount] = priceOf(offer)
    this.rests[this.oldCount] = this.hashRest(offer)
    this.oldCount += 1
    this.table.add(high, low, this.oldCount)
  }

  addNew(offer: PlacedValues): void {
    const { high, low } = this.hashKey(offer)
    const row = this.table.row(high, low)
    if (row === 0) {
      this.table.add(high, low, ADDED)
      this.changes.add('added', 0, offer.place)
      return
    }
    const oldPlace = row === ADDED ? 0 : (this.places[row - 1] ?? 0)
    // another offer of this version has the key
    if (oldPlace === 0) return
    this.places[row - 1] = 0
    const kind = this.kindOf(row - 1, offer)
    if (kind === undefined) this.changes.counts.unchanged += 1
    else this.changes.add(kind, oldPlace, offer.place)
  }

  /** In the order of the newer version, then what is gone in that of the older one. */
  finish(): OfferChanges {
    for (let at = 0; at < this.oldCount; at += 1) {
      const place = this.places[at] ?? 0
      if (place !== 0) this.changes.add('gone', place, 0)
    }
    return this.changes.trim()
  }

  /** @returns undefined when nothing differs */
  private kindOf(at: number, offer: PlacedValues): ChangeKind | undefined {
    const before = this.prices[at] ?? Number.NaN
    const now = priceOf(offer)
    if (now > before) return 'dearer'
    if (now < before) return 'cheaper'
    if (Number.isNaN(now) !== Number.isNaN(before)) return Number.isNaN(now) ? 'price_gone' : 'price_added'
    return this.rests[at] === this.hashRest(offer) ? undefined : 'other'
  }

  private hashKey({ brand_key, article_key }: PlacedValues): KeyHash {
    this.key.of(brand_key, article_key)
    return this.key
  }

  private hashRest({ name, quantity, delivery_days }: PlacedValues): number {
    this.rest.of(name, `${quantity} ${delivery_days}`)
    return this.rest.low
  }
}

/** NaN for none: it is neither higher nor lower than a price. */
function priceOf({ price }: PlacedValues): number {
  return price ?? Number.NaN
}
