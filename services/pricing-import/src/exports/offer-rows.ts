import { AppError } from '@partsbus/contracts/app-error'
import type { OfferPage, OfferRows } from '../offers/offer-pages.js'
import type { Cell } from './csv.js'

/** Reads the offers of a version after a page of it. */
export type ReadOffers = (from: { version: number; after: number }) => Promise<OfferRows>

/** Where a row is in its file. */
export type NameRow = (row: number) => number | string

/** Yields one page of offers at a time (admin.md#offer-files). @throws AppError CONFLICT when some are gone */
export async function* offerRows(
  read: ReadOffers,
  first: OfferPage,
  columns: readonly string[],
  nameRow: NameRow = (row) => row,
): AsyncGenerator<Cell[][]> {
  yield [[...columns]]
  const { version, total } = first
  if (version === null) return
  let count = 0
  for (
    let page: OfferRows = first;
    page.data.length > 0 && page.next !== null;
    page = await read({ version, after: page.next })
  ) {
    count += page.data.length
    yield page.data.map((offer) => offerRow(offer, nameRow))
  }
  // a version may be deleted between two pages, and before the first one is counted; reading it again would refuse
  if (count === 0) await read({ version, after: 0 })
  if (count !== total)
    throw new AppError('CONFLICT', `Version ${version} has ${total} offers, of which ${count} were read.`)
}

function offerRow(
  { brand, article, name, quantity, price, delivery_days, row }: OfferPage['data'][number],
  nameRow: NameRow,
): Cell[] {
  return [brand, article, name, quantity, price, delivery_days, row && nameRow(row)]
}
