import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { AskedStorage, StorageAnswer } from '../search/storage-answer.js'
import type { BrandNames } from '../synonyms/brand-names.js'

/** An article as the partner wrote it, and as it is compared. */
export interface BrandsQuestion {
  article: string
  articleKey: string
  /** reads of own services for this question that are under way, by what is asked */
  begun: Map<string, Promise<ReadonlyMap<number, Offer[]>>>
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
  brands(
    ctx: SupplierSearchContext,
    storages: readonly Storage[],
    question: BrandsQuestion,
    budget: Budget,
  ): Promise<Array<StorageAnswer<BrandRow>>>
  parts(
    ctx: SupplierSearchContext,
    storages: readonly Storage[],
    question: PartsQuestion,
    budget: Budget,
  ): Promise<Array<StorageAnswer<Offer>>>
}

/**
 * A kind that lives in our own services. Its reads may be begun with the storages as they were the last time, while it is
 * being asked which they are now: what was begun for the wrong ones is read by nobody.
 */
export interface OwnAdapter extends Adapter {
  beginBrands(
    ctx: SupplierSearchContext,
    storages: readonly AskedStorage[],
    question: BrandsQuestion,
    budget: Budget,
  ): void
  beginParts(
    ctx: SupplierSearchContext,
    storages: readonly AskedStorage[],
    question: PartsQuestion,
    budget: Budget,
  ): void
}

/** The read of this question that is under way, or one that begins now. */
export function begunOnce(
  { begun }: BrandsQuestion,
  key: string,
  read: () => Promise<ReadonlyMap<number, Offer[]>>,
): Promise<ReadonlyMap<number, Offer[]>> {
  const known = begun.get(key)
  if (known) return known
  const rows = read()
  begun.set(key, rows)
  return rows
}
