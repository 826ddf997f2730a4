import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { listOffers } from '@partsbus/contracts/pricing-import/commands'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { FIRST_COPY } from './offer-id.js'
import { keptVersion, type NumberedVersion, numberVersions } from '../versions/live-order.js'
import { offerFilter } from './offer-filter.js'
import { OfferStore, type PlacedOffer } from './offer-store.js'

/** Bytes of an offer: a name of 1,000 characters, brand and article of 191, each of six bytes, and the numbers. */
const LARGEST = 9_000

export type OfferPage = ReplyOf<typeof listOffers>
export type OfferRows = Pick<OfferPage, 'data' | 'version' | 'version_number' | 'next'>

/** Pages of the live offers of a list, as they are stored (admin.md#price-list-offers). */
@Injectable()
export class OfferPages {
  constructor(
    private readonly lists: PriceListStore,
    private readonly offers: OfferStore,
  ) {}

  /** @throws AppError NOT_FOUND, or CONFLICT when the version that is named is no longer kept */
  async read(wanted: RequestOf<typeof listOffers>): Promise<OfferPage> {
    const { count, ...found } = await this.readRows(wanted)
    return { ...found, total: await count(), page: wanted.page, per_page: wanted.per_page }
  }

  /** The same without the total, which is counted anew for each page with a filter. */
  async readRows(wanted: RequestOf<typeof listOffers>): Promise<OfferRows & { count: () => number | Promise<number> }> {
    const { id, page, per_page, after } = wanted
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const version = versionOf(list, wanted.version)
    if (!version) return { data: [], version: null, version_number: null, next: null, count: () => 0 }
    const filter = offerFilter(wanted)
    const place = { after, skip: (page - 1) * per_page, limit: per_page }
    const found = await this.offers.list(version.version, { ...filter, ...place })
    const data = fitMessage(found, LARGEST)
    const isAll = Object.keys(filter).length === 0
    return {
      data: data.map(offerView),
      version: version.version,
      version_number: version.number,
      next: data.at(-1)?.place ?? null,
      // a version is live with all of its rows
      count: () => (isAll ? version.rows : this.offers.countListed(version.version, filter)),
    }
  }
}

/** The version to read: the live one, or the one that a reader of many pages began with. */
function versionOf(list: PriceListRecord, named: number | undefined): NumberedVersion | undefined {
  if (named !== undefined) return keptVersion(list, named)
  return numberVersions(list.versions).find(({ version }) => version === list.active_version)
}

function offerView({ place, offer }: PlacedOffer): OfferPage['data'][number] {
  const { brand, article, name, quantity, price, delivery_days } = offer
  return { row: place < FIRST_COPY ? place : null, brand, article, name, quantity, price, delivery_days }
}
