import { Injectable } from '@nestjs/common'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import type { Offer } from '../search/offer.js'
import { CoalescedReads } from './coalesced-reads.js'
import {
  addOffer,
  type OffersQuery,
  OwnServiceAdapter,
  OwnServiceAnswers,
  type OwnOffers,
  splitIds,
} from './own-service.js'

/** The live offers of the active price lists of each storage (architecture.md#search). */
@Injectable()
export class PriceListAdapter extends OwnServiceAdapter {
  protected readonly name = 'price-list'

  constructor(
    private readonly calls: BusClient,
    private readonly reads: CoalescedReads,
    answers: OwnServiceAnswers,
  ) {
    super(answers)
  }

  protected async findOffers(storageIds: number[], query: OffersQuery): Promise<OwnOffers> {
    const found = await Promise.all(
      splitIds(storageIds).map((ids) => {
        const key = `price-list ${JSON.stringify([query.articleKey, query.brandKeys, ids])}`
        return this.reads.read(key, query.limitMs, () => this.readOffers(ids, query))
      }),
    )
    return {
      offers: new Map(found.flatMap(({ offers }) => [...offers])),
      isCut: found.some(({ isCut }) => isCut),
    }
  }

  /** Those of the storages whose lists have the article with a quantity of 0 alone. */
  async findSoldOut(storageIds: number[], { articleKey, brandKeys, limitMs }: OffersQuery): Promise<Set<number>> {
    const found = await Promise.all(
      splitIds(storageIds).map((storage_ids) =>
        this.calls.request(
          findOffers,
          { storage_ids, article_key: articleKey, ...(brandKeys && { brand_keys: brandKeys }), with_sold_out: true },
          { timeoutMs: limitMs },
        ),
      ),
    )
    const offers = found.flatMap((reply) => reply.offers)
    const inStock = new Set(offers.filter(({ quantity }) => quantity > 0).map(({ storage_id }) => storage_id))
    return new Set(offers.map(({ storage_id }) => storage_id).filter((id) => !inStock.has(id)))
  }

  private async readOffers(
    storageIds: number[],
    { articleKey, brandKeys, limitMs: timeoutMs }: OffersQuery,
  ): Promise<OwnOffers> {
    const request = { storage_ids: storageIds, article_key: articleKey, ...(brandKeys && { brand_keys: brandKeys }) }
    const reply = await this.calls.request(findOffers, request, { timeoutMs })
    const offers = new Map<number, Offer[]>()
    for (const { storage_id, ...row } of reply.offers) addOffer(offers, storage_id, row)
    return { offers, isCut: reply.is_cut === true }
  }
}
