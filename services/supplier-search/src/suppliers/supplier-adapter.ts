import type { Deadline } from '../search/deadline.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { QueriedStorage, NotedAnswer } from '../search/storage-answer.js'
import type { HeldByQuery } from '../http/reply-memory.js'
import type { BrandNames } from '../brand-synonyms/brand-names.js'

/** An article as the partner wrote it, and as it is compared. */
export interface BrandsQuery {
  article: string
  articleKey: string
  /** reserves the bytes of the rows until the query is answered */
  held: HeldByQuery
}

export interface PartsQuery extends BrandsQuery {
  /** brands as the partner wrote them */
  brands: readonly string[]
  names: BrandNames
}

/**
 * One kind of supplier. It answers for each of its storages and never throws: a failure is an outcome.
 * It may return more rows than requested; the merge drops them.
 */
export interface SupplierAdapter<Storage extends QueriedStorage = QueriedStorage> {
  findBrands(
    storages: readonly Storage[],
    query: BrandsQuery,
    deadline: Deadline,
  ): Promise<Array<NotedAnswer<BrandRow>>>
  findParts(storages: readonly Storage[], query: PartsQuery, deadline: Deadline): Promise<Array<NotedAnswer<Offer>>>
}
