import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { fitOffers } from './fit-offers.js'
import { LiveOffers } from './live-offers.js'
import { OfferPages } from './offer-pages.js'
import { MAX_FOUND } from './offer-store.js'

@Controller()
export class Offers {
  constructor(
    private readonly liveOffers: LiveOffers,
    private readonly pages: OfferPages,
  ) {}

  /** @throws AppError NOT_FOUND, or CONFLICT when the version that the call names is no longer kept */
  @Handles(contract.listOffers)
  listOffers({ body }: CallOf<typeof contract.listOffers>): Promise<ReplyOf<typeof contract.listOffers>> {
    return this.pages.read(body)
  }

  /**
   * Live offers of the active lists of some storages; a quantity of 0 is not offered (rules.md#importable), and found
   * only to say so (admin.md#search-sold-out).
   */
  @Handles(contract.findOffers)
  async findOffers({ body }: CallOf<typeof contract.findOffers>): Promise<ReplyOf<typeof contract.findOffers>> {
    const { storage_ids, article_key, brand_keys, with_sold_out } = body
    const { storageOf, offers } = await this.liveOffers.find(storage_ids, article_key, brand_keys, with_sold_out)
    const found = fitOffers(
      offers.map(({ version, brand, article, name, quantity, price, delivery_days }) => ({
        storage_id: storageOf.get(version) ?? 0,
        brand,
        article,
        name,
        quantity,
        price,
        delivery_days,
      })),
    )
    const isCut = found.length < offers.length || offers.length >= MAX_FOUND
    return isCut ? { offers: found, is_cut: true } : { offers: found }
  }
}
