import { Inject, Injectable } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { PricingImportConfig } from '../config.js'
import { FIRST_COPY, MAX_COPIES } from '../offers/offer-id.js'
import { OfferStore, type PlacedOffer } from '../offers/offer-store.js'
import type { PriceListReader } from '../reading/price-list-reader.js'
import { ImportFailure } from './import-errors.js'
import type { ImportLease } from './import-lease.js'

@Injectable()
export class CopyLiveOffers {
  constructor(
    private readonly offers: OfferStore,
    @Inject(CONFIG) private readonly config: PricingImportConfig,
  ) {}

  /**
   * Copies the offers of the active version whose keys are not in the file into the new version (rules.md#merge).
   * The result depends on the base and the file alone, so it may be repeated. An earlier copying may have had another
   * base, and a write or deletion of it may reach the database at any time, even when the version is live. It does no
   * harm: it changes nothing that a later one wrote, and a later base has at least the offers of an earlier one, since
   * only merges go live in between.
   * @param base the active version, 0 when there is none
   * @param copying 0 for the first one into this version
   * @returns how many were copied
   */
  async copyLiveOffers(lease: ImportLease, base: number, copying: number, reader: PriceListReader): Promise<number> {
    const { id } = lease.task
    let copied = 0
    for (let after = 0; base > 0;) {
      // page by page, since a cursor does not survive an outage of the database
      const page = await lease.retryWhileDbDown(() => this.offers.page(base, after, this.config.IMPORT_BATCH_ROWS))
      if (page.last === undefined) break
      after = page.last
      const contained = await lease.orLost(
        reader.containsKeys(page.offers.map(({ brand_key, article_key }) => [brand_key, article_key])),
      )
      const placed: PlacedOffer[] = page.offers
        .filter((_, index) => contained[index] === 0)
        .map((offer, index) => ({ place: FIRST_COPY + copied + index, offer }))
      copied += placed.length
      if (copied > MAX_COPIES)
        throw new ImportFailure('TOO_MANY_ROWS', `The merged list would have more than ${MAX_COPIES} offers.`)
      await lease.retryWhileDbDown(() =>
        copying === 0 ? this.offers.place(id, placed) : this.offers.replaceCopies(id, copying, placed),
      )
    }
    if (copying > 0) await lease.retryWhileDbDown(() => this.offers.deleteCopiesBefore(id, copying))
    return copied
  }
}
