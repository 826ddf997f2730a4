import { Injectable } from '@nestjs/common'
import { findProductsByArticle } from '@partsbus/contracts/catalog/commands'
import { findSupplies } from '@partsbus/contracts/stock/commands'
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

/**
 * The shop's own products of the article, with the supplies of each storage (architecture.md#search,
 * rules.md#own-stock). A product without a brand is not offered: partners request parts by brand, and every entry of a
 * response has one.
 */
@Injectable()
export class OwnStockAdapter extends OwnServiceAdapter {
  protected readonly name = 'own-stock'

  constructor(
    private readonly calls: BusClient,
    private readonly reads: CoalescedReads,
    answers: OwnServiceAnswers,
  ) {
    super(answers)
  }

  protected findOffers(storageIds: number[], query: OffersQuery): Promise<OwnOffers> {
    const key = `own-stock ${JSON.stringify([query.articleKey, query.brandKeys, storageIds])}`
    return this.reads.read(key, query.limitMs, () => this.readOffers(storageIds, query))
  }

  /** Only products with a quantity are offered. */
  private async readOffers(storageIds: number[], { articleKey, brandKeys, limitMs }: OffersQuery): Promise<OwnOffers> {
    const end = performance.now() + limitMs
    const { products, is_cut = false } = await this.calls.request(
      findProductsByArticle,
      { article_key: articleKey, ...(brandKeys && { brand_keys: brandKeys }) },
      { timeoutMs: limitMs },
    )
    const offers = new Map<number, Offer[]>()
    const byId = new Map(products.map((product) => [product.id, product]))
    for (const product_ids of splitIds([...byId.keys()])) {
      for (const storage_ids of splitIds(storageIds)) {
        const timeoutMs = Math.max(1, Math.floor(end - performance.now()))
        const { supplies } = await this.calls.request(findSupplies, { product_ids, storage_ids }, { timeoutMs })
        for (const { product_id, storage_id, quantity, selling_price, delivery_days } of supplies)
          addOffer(offers, storage_id, { ...byId.get(product_id), quantity, price: selling_price, delivery_days })
      }
    }
    return { offers, isCut: is_cut }
  }
}
