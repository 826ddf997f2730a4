import type { AnswerOf } from '@partsbus/contracts/http/admin'

type Found = AnswerOf<'POST /search/brands'>
type Asked = Pick<Found, 'asked' | 'of' | 'suppliers'>

/** Why a search has no brand. */
export type Absence =
  /** in price lists, but without a product name, so partners do not get it */
  | { why: 'unnamed'; storages: string[] }
  /** suppliers answered with rows that are not for partners */
  | { why: 'unfit'; storages: string[] }
  | { why: 'nowhere' }
  | { why: 'not-in-asked' }

/** The rows of a price list have the article that was asked for and a brand: only their name can be missing. */
export function absenceOf({ asked, of, suppliers }: Asked): Absence {
  const holders = suppliers.filter(({ rows }) => rows > 0)
  const lists = holders.filter(({ kind }) => kind === 'price-list')
  if (lists.length > 0) return { why: 'unnamed', storages: lists.map(({ storage_name }) => storage_name) }
  if (holders.length > 0) return { why: 'unfit', storages: holders.map(({ storage_name }) => storage_name) }
  const isComplete = of !== null && asked >= of && suppliers.every(({ outcome }) => outcome === 'ok')
  return { why: isComplete ? 'nowhere' : 'not-in-asked' }
}

/** The price lists whose live offers have the article with no quantity, by the offers that each of them has. */
export const soldOutIn = (lists: ReadonlyArray<{ name: string; offers: ReadonlyArray<{ quantity: number }> }>) =>
  lists
    .filter(({ offers }) => offers.length > 0 && offers.every(({ quantity }) => quantity === 0))
    .map(({ name }) => name)
