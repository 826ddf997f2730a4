import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import type { OfferPage } from '../offers/offer-pages.js'
import type { Cell } from './csv.js'
import { exportWords } from './export-words.js'
import { offerRows, type ReadOffers } from './offer-rows.js'

/** Of the first page, too. */
type ReadPage = (from?: Parameters<ReadOffers>[0]) => Promise<OfferPage>

const offer = (row: number) => ({
  brand: 'BOSCH',
  article: `00${row}`,
  name: 'Pads',
  quantity: 4,
  price: 10.5,
  delivery_days: null,
  row,
})
const page = (rows: number[], total: number, version: number | null = 41): OfferPage => ({
  data: rows.map(offer),
  total,
  page: 1,
  per_page: 2,
  version,
  next: rows.at(-1) ?? null,
})
async function collect(read: ReadPage): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for await (const batch of offerRows(read, await read(), exportWords(undefined).offerColumns)) rows.push(...batch)
  return rows
}

describe('the rows of an export of offers (admin.md#offer-files)', () => {
  it('are of the version of the first page, and continue behind its last row', async () => {
    const asked: unknown[] = []
    const pages = [page([2, 3], 3), page([4], 3), page([], 3)]
    const rows = await collect(async (from) => {
      asked.push(from)
      return pages.shift() as OfferPage
    })
    expect(asked).toEqual([undefined, { version: 41, after: 3 }, { version: 41, after: 4 }])
    expect(rows.map((cells) => cells.at(-1))).toEqual(['row', 2, 3, 4])
    expect(rows[1]).toEqual(['BOSCH', '002', 'Pads', 4, 10.5, null, 2])
  })

  it('are the heading alone while nothing is live', async () => {
    expect(await collect(async () => page([], 0, null))).toHaveLength(1)
  })

  it('end with an error when some were deleted on the way', async () => {
    const left = [page([2, 3], 5), page([], 5)]
    await expect(collect(async () => left.shift() as OfferPage)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Version 41 has 5 offers, of which 2 were read.',
    })
  })

  it('end with an error when all were deleted before the first page of a filter was read', async () => {
    const gone = new AppError('CONFLICT', 'Version 41 is no longer kept.')
    const read: ReadPage = async (from) => (from ? Promise.reject(gone) : page([], 0))
    await expect(collect(read)).rejects.toBe(gone)
  })
})
