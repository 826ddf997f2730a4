import { Injectable } from '@nestjs/common'
import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { type KeyComparison, noComparison } from '../rows/compare-keys.js'
import { OfferStore } from './offer-store.js'
import { type PlaceRange, samplePlaces } from './sample-places.js'

/** A live version with up to so many offers is compared as a whole; of a larger one so many offers are sampled. */
export const MAX_COMPARED_OFFERS = 200_000
const PAGE = 2_000

const counted = ['compared', 'found', 'repriced', 'priceAdded', 'priceGone'] as const

type Changes = NonNullable<Preview['changes']>

export interface LiveVersion {
  /** 0: there is none */
  version: number
  rows: number
}

/** Compares a previewed file with the live offers of its list (admin.md#preview-changes). */
@Injectable()
export class CompareWithLive {
  constructor(private readonly offers: OfferStore) {}

  /**
   * Takes bounded memory, and no longer than the caller waits: what was compared by then is extrapolated.
   * @param importable rows of the file without duplicates
   * @param isLate whether no time is left
   */
  async compareWithLive(
    live: LiveVersion,
    importable: number,
    reader: PriceListReader,
    isLate: () => boolean,
  ): Promise<Changes> {
    const sum = noComparison()
    for (const range of live.rows === 0 ? [] : await this.rangesOf(live)) {
      if (isLate()) break
      await this.compareRange(live.version, range, reader, sum, isLate)
    }
    return extrapolate(sum, live.rows, importable)
  }

  /** The whole version, or parts of it all over the file. */
  private async rangesOf({ version, rows }: LiveVersion): Promise<PlaceRange[]> {
    const whole = await this.offers.placesOf(version)
    return rows <= MAX_COMPARED_OFFERS ? whole : samplePlaces(whole, MAX_COMPARED_OFFERS / PAGE)
  }

  /** At most one page of a part; the whole version is read page by page. */
  private async compareRange(
    version: number,
    { from, to, isSample }: PlaceRange,
    reader: PriceListReader,
    sum: KeyComparison,
    isLate: () => boolean,
  ): Promise<void> {
    for (let next = from; next <= to && !isLate();) {
      const { offers, last } = await this.offers.prices(version, { from: next, to }, PAGE)
      if (last === undefined) return
      const part = await reader.compareKeys(offers)
      for (const name of counted) sum[name] += part[name]
      if (isSample) return
      next = last + 1
    }
  }
}

function extrapolate(sum: KeyComparison, live: number, importable: number): Changes {
  const { compared, found, repriced, priceAdded, priceGone } = sum
  const is_estimate = compared < live
  const factor = compared === 0 ? 0 : live / compared
  const kept = Math.min(Math.round(found * factor), live, importable)
  const ofKept = (count: number) => Math.min(Math.round(count * factor), kept)
  return {
    added: importable - kept,
    gone: live - kept,
    repriced: ofKept(repriced),
    price_added: ofKept(priceAdded),
    price_gone: ofKept(priceGone),
    is_estimate,
  }
}
