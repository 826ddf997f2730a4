import { Injectable } from '@nestjs/common'
import { findProductsByArticle } from '@partsbus/contracts/catalog/commands'
import { findSupplies } from '@partsbus/contracts/stock/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import type { Deadline } from '../search/deadline.js'
import { type Offer, readOffer } from '../search/offer.js'
import type { AskedStorage, StorageAnswer } from '../search/storage-answer.js'
import { CoalescedReads } from './coalesced-reads.js'
import { OwnServiceAnswers, type OwnOffers } from './own-service.js'
import type { BrandsQuery, PartsQuery, SupplierAdapter } from './supplier-adapter.js'

/** Products, and storages, in one request to the stock service. */
const CHUNK = 1_000

/**
 * The shop's own products of the article, with the supplies of each storage (architecture.md#search,
 * rules.md#own-stock).
 * A product without a brand is not offered: partners ask for parts by brand, and every entry of an answer has one.
 */
@Injectable()
export class OwnStockAdapter implements SupplierAdapter {
  constructor(
    private readonly calls: BusClient,
    private readonly reads: CoalescedReads,
    private readonly answers: OwnServiceAnswers,
  ) {}

  findBrands(
    storages: readonly AskedStorage[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<Array<StorageAnswer<Offer>>> {
    return this.answers.answer({ adapter: 'own-stock', operation: 'brands', storages }, () =>
      this.find(storages, query.articleKey, undefined, deadline),
    )
  }

  findParts(
    storages: readonly AskedStorage[],
    query: PartsQuery,
    deadline: Deadline,
  ): Promise<Array<StorageAnswer<Offer>>> {
    return this.answers.answer({ adapter: 'own-stock', operation: 'parts', storages }, () =>
      this.find(storages, query.articleKey, query.names.spellingKeys(query.brands), deadline),
    )
  }

  private find(
    storages: readonly AskedStorage[],
    articleKey: string,
    brandKeys: string[] | undefined,
    deadline: Deadline,
  ): Promise<OwnOffers> {
    const storageIds = storages.map(({ id }) => id)
    const limitMs = deadline.limit()
    const key = `own-stock ${JSON.stringify([articleKey, brandKeys, storageIds])}`
    return this.reads.read(key, limitMs, () => this.read(storageIds, articleKey, brandKeys, limitMs))
  }

  /** Only products with a quantity are offered. */
  private async read(
    storageIds: number[],
    articleKey: string,
    brandKeys: string[] | undefined,
    limitMs: number,
  ): Promise<OwnOffers> {
    const end = performance.now() + limitMs
    const { products, is_cut = false } = await this.calls.request(
      findProductsByArticle,
      { article_key: articleKey, ...(brandKeys && { brand_keys: brandKeys }) },
      { timeoutMs: limitMs },
    )
    const offers = new Map<number, Offer[]>()
    const byId = new Map(products.map((product) => [product.id, product]))
    for (const product_ids of chunksOf([...byId.keys()])) {
      for (const storage_ids of chunksOf(storageIds)) {
        const timeoutMs = Math.max(1, Math.floor(end - performance.now()))
        const { supplies } = await this.calls.request(findSupplies, { product_ids, storage_ids }, { timeoutMs })
        for (const { product_id, storage_id, quantity, selling_price, delivery_days } of supplies) {
          const offer = readOffer({ ...byId.get(product_id), quantity, price: selling_price, delivery_days })
          if (!offer) continue
          const ofStorage = offers.get(storage_id)
          if (ofStorage) ofStorage.push(offer)
          else offers.set(storage_id, [offer])
        }
      }
    }
    return { offers, isCut: is_cut }
  }
}

function chunksOf(ids: readonly number[]): number[][] {
  const chunks: number[][] = []
  for (let start = 0; start < ids.length; start += CHUNK) chunks.push(ids.slice(start, start + CHUNK))
  return chunks
}
