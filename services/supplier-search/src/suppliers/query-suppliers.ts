import { Injectable } from '@nestjs/common'
import type { Deadline } from '../search/deadline.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { QueriedStorage, HttpStorage, NotedAnswer } from '../search/storage-answer.js'
import { SupplierStatisticsStore } from '../overview/supplier-statistics-store.js'
import { HttpSupplierAdapter } from './http-supplier.js'
import { OwnStockAdapter } from './own-stock.js'
import { PriceListAdapter } from './price-list.js'
import type { BrandsQuery, PartsQuery, SupplierAdapter } from './supplier-adapter.js'

const KINDS = new Set(['own-stock', 'price-list', 'http'])

export const UNDECRYPTABLE =
  'The stored header values cannot be decrypted with SECRETS_KEY; send them again, or add the older key.'

const UNKNOWN_KIND = 'This version does not know the kind of its supplier.'

/** Queries the suppliers of all storages in parallel (partners.md#brands-2, partners.md#parts-2). */
@Injectable()
export class QuerySuppliers {
  constructor(
    private readonly ownStock: OwnStockAdapter,
    private readonly priceList: PriceListAdapter,
    private readonly http: HttpSupplierAdapter,
    private readonly statistics: SupplierStatisticsStore,
  ) {}

  findBrands(
    storages: readonly QueriedStorage[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<BrandRow>>> {
    return this.queryKinds(storages, (adapter, ofKind) => adapter.findBrands(ofKind, query, deadline))
  }

  findParts(
    storages: readonly QueriedStorage[],
    query: PartsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<Offer>>> {
    return this.queryKinds(storages, (adapter, ofKind) => adapter.findParts(ofKind, query, deadline))
  }

  private async queryKinds<Row>(
    storages: readonly QueriedStorage[],
    query: <Storage extends QueriedStorage>(
      adapter: SupplierAdapter<Storage>,
      ofKind: Storage[],
    ) => Promise<Array<NotedAnswer<Row>>>,
  ): Promise<Array<NotedAnswer<Row>>> {
    const own = storages.filter(({ supplier }) => supplier?.kind === 'own-stock')
    const listed = storages.filter(({ supplier }) => supplier?.kind === 'price-list')
    const remote = storages.filter((storage): storage is HttpStorage => storage.supplier?.kind === 'http')
    // undecryptable, or of a kind that a newer version of the stock service knows
    const unusable = storages.filter(({ supplier }) => !KINDS.has(supplier?.kind ?? ''))
    const answers = await Promise.all([
      own.length === 0 ? [] : query(this.ownStock, own),
      listed.length === 0 ? [] : query(this.priceList, listed),
      remote.length === 0 ? [] : query(this.http, remote),
      unusable.map((storage): NotedAnswer<Row> => ({
        storage,
        outcome: 'error',
        rows: [],
        ms: 0,
        isCached: false,
        isCutOff: false,
        error: storage.supplier === null ? UNDECRYPTABLE : UNKNOWN_KIND,
      })),
    ])
    const all = answers.flat()
    const asked = new Map(storages.map((storage) => [storage.id, storage]))
    for (const answer of all) {
      const storage = asked.get(answer.storage.id)
      if (storage) this.statistics.count(storage, answer)
    }
    return all
  }
}
