import { Controller } from '@nestjs/common'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import { listOffers as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { FIRST_COPY } from './offer-id.js'
import { OfferStore, type PlacedOffer } from './offer-store.js'

/** Bytes of an offer: a name of 1,000 characters, brand and article of 191, each of six bytes, and the numbers. */
const LARGEST = 9_000

@Controller()
export class ListOffers {
  constructor(
    private readonly lists: PriceListStore,
    private readonly offers: OfferStore,
  ) {}

  /**
   * Live offers of a list, as they are stored (admin.md#price-list-offers).
   * @throws AppError NOT_FOUND, or CONFLICT when the version that the call names is no longer kept
   */
  @Handles(contract)
  async listOffers({ body }: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, page, per_page, article, brand, after } = body
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const version = versionOf(list, body.version)
    if (!version) return { data: [], total: 0, page, per_page, version: null, next: null }
    const keys = {
      ...(article !== undefined && { articleKey: articleKey(article) }),
      ...(brand !== undefined && { brandKey: brandKey(brand) }),
    }
    const wanted = { ...keys, after, skip: (page - 1) * per_page, limit: per_page }
    const found = await this.offers.list(version.version, wanted)
    const data = fitMessage(found, LARGEST)
    const isAll = article === undefined && brand === undefined
    return {
      data: data.map(offerView),
      // a version is live with all of its rows
      total: isAll ? version.rows : await this.offers.countListed(version.version, keys),
      page,
      per_page,
      version: version.version,
      next: data.at(-1)?.place ?? null,
    }
  }
}

/** The version to read: the live one, or the one that a reader of many pages began with. */
function versionOf(list: PriceListRecord, named: number | undefined): PriceListRecord['versions'][number] | undefined {
  const version = list.versions.find((kept) => kept.version === (named ?? list.active_version))
  if (!version && named !== undefined) throw new AppError('CONFLICT', `Version ${named} is no longer kept.`)
  return version
}

function offerView({ place, offer }: PlacedOffer): ReplyOf<typeof contract>['data'][number] {
  const { brand, article, name, quantity, price, delivery_days } = offer
  return { row: place < FIRST_COPY ? place : null, brand, article, name, quantity, price, delivery_days }
}
