import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { AskedStorage, StorageAnswer } from '../search/storage-answer.js'
import type { BrandNames } from '../synonyms/brand-names.js'

/** An article as the partner wrote it, and as it is compared. */
export interface BrandsQuestion {
  article: string
  articleKey: string
}

export interface PartsQuestion extends BrandsQuestion {
  /** brands as the partner wrote them */
  brands: readonly string[]
  names: BrandNames
}

/**
 * One kind of supplier. It answers for each storage it was asked for and never throws: who fails or is slow is an outcome.
 * It may answer more than was asked for; what does not fit is left out by the merge.
 */
export interface Adapter<Storage extends AskedStorage = AskedStorage> {
  brands(ctx: SupplierSearchContext, storages: readonly Storage[], question: BrandsQuestion, budget: Budget): Promise<Array<StorageAnswer<BrandRow>>>
  parts(ctx: SupplierSearchContext, storages: readonly Storage[], question: PartsQuestion, budget: Budget): Promise<Array<StorageAnswer<Offer>>>
}
