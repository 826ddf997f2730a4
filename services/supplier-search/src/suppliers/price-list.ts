import { Injectable } from '@nestjs/common'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import type { Deadline } from '../search/deadline.js'
import { type Offer, readOffer } from '../search/offer.js'
import type { AskedStorage, StorageAnswer } from '../search/storage-answer.js'
import { CoalescedReads } from './coalesced-reads.js'
import { OwnServiceAnswers, type OwnOffers } from './own-service.js'
import type { BrandsQuery, PartsQuery, SupplierAdapter } from './supplier-adapter.js'

/** Storages in one request to the price lists. */
const CHUNK = 1_000

/** The live offers of the active price lists of each storage (architecture.md#search). */
@Injectable()
export class PriceListAdapter implements SupplierAdapter {
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
    return this.answers.answer({ adapter: 'price-list', operation: 'brands', storages }, () =>
      this.find(storages, query.articleKey, undefined, deadline),
    )
  }

  findParts(
    storages: readonly AskedStorage[],
    query: PartsQuery,
    deadline: Deadline,
  ): Promise<Array<StorageAnswer<Offer>>> {
    return this.answers.answer({ adapter: 'price-list', operation: 'parts', storages }, () =>
      this.find(storages, query.articleKey, query.names.spellingKeys(query.brands), deadline),
    )
  }

  private async find(
    storages: readonly AskedStorage[],
    articleKey: string,
    brandKeys: string[] | undefined,
    deadline: Deadline,
  ): Promise<OwnOffers> {
    const limitMs = deadline.limit()
    const chunks: number[][] = []
    for (let start = 0; start < storages.length; start += CHUNK)
      chunks.push(storages.slice(start, start + CHUNK).map(({ id }) => id))
    const found = await Promise.all(
      chunks.map((storageIds) => {
        const key = `price-list ${JSON.stringify([articleKey, brandKeys, storageIds])}`
        return this.reads.read(key, limitMs, () => this.read(storageIds, articleKey, brandKeys, limitMs))
      }),
    )
    return {
      offers: new Map(found.flatMap(({ offers }) => [...offers])),
      isCut: found.some(({ isCut }) => isCut),
    }
  }

  private async read(
    storageIds: number[],
    articleKey: string,
    brandKeys: string[] | undefined,
    timeoutMs: number,
  ): Promise<OwnOffers> {
    const request = { storage_ids: storageIds, article_key: articleKey, ...(brandKeys && { brand_keys: brandKeys }) }
    const reply = await this.calls.request(findOffers, request, { timeoutMs })
    const offers = new Map<number, Offer[]>()
    for (const { storage_id, ...row } of reply.offers) {
      const offer = readOffer(row)
      if (!offer) continue
      const ofStorage = offers.get(storage_id)
      if (ofStorage) ofStorage.push(offer)
      else offers.set(storage_id, [offer])
    }
    return { offers, isCut: reply.is_cut === true }
  }
}
