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

/** Where the article is sold out: the list, or the storage of several lists, of which the search does not name one. */
export const soldOutIn = (
  storages: Found['sold_out'],
  lists: ReadonlyArray<{ name: string; storage_id: number; is_active: boolean }>,
): string[] =>
  storages.map(({ storage_id, storage_name }) => {
    const [list, ...others] = lists.filter((one) => one.is_active && one.storage_id === storage_id)
    return list === undefined || others.length > 0 ? storage_name : list.name
  })
