import { describe, expect, it } from '@jest/globals'
import { asMerged, doubtsOf, offersOfOtherFiles, lacksNamesWithBrands } from './preview-doubts.js'

type Code = Parameters<typeof doubtsOf>[0]['warnings'][number]['code']

const preview = (...warnings: [code: Code, count: number][]) => ({
  totals: { rows: 100, importable: 100, skipped: 0 },
  warnings: warnings.map(([code, count]) => ({ code, count, message: '' })),
})
const codes = (warnings: { code: string }[]) => warnings.map(({ code }) => code)

describe('doubtsOf', () => {
  it.each<[Code, number, boolean]>([
    ['NO_PRICE', 9, false],
    ['NO_PRICE', 10, true],
    ['BRANDS_DOUBTFUL', 60, true],
    ['LIST_SHRINKS', 51, true],
    ['MANY_SKIPPED', 20, true],
    ['NO_NAME', 100, false],
    ['TOO_FEW_ROWS', 100, false],
  ])('%s of %i: %s', (code, count, isAsked) => {
    expect(codes(doubtsOf(preview([code, count])))).toEqual(isAsked ? [code] : [])
  })
})

describe('offersOfOtherFiles', () => {
  it.each([
    [{ live_rows: 100, added: 0 }, 0],
    [{ live_rows: 250, added: 0 }, 150],
    [{ live_rows: 100, added: 40 }, 40],
    [{ live_rows: 0, added: 100 }, 0],
    // the rows of the file are fewer than it estimates
    [{ live_rows: 99, added: 0 }, 0],
  ])('of 100 rows, %j: %i', ({ live_rows, added }, others) => {
    const changes = { added, gone: 0, repriced: 0, price_added: 0, price_gone: 0, is_estimate: false }
    expect(offersOfOtherFiles({ ...preview(), live_rows, changes })).toBe(others)
  })

  it('are none where nothing can be imported', () => {
    expect(offersOfOtherFiles({ ...preview(), live_rows: 9, changes: null })).toBe(0)
  })
})

describe('asMerged', () => {
  it('lets nothing go', () => {
    const changes = { added: 60, gone: 140, repriced: 3, price_added: 0, price_gone: 1, is_estimate: false }
    const merged = asMerged({ ...preview(['LIST_SHRINKS', 140], ['TOO_FEW_ROWS', 60], ['NO_NAME', 2]), changes })
    expect(merged.changes).toEqual({ ...changes, gone: 0 })
    expect(codes(merged.warnings)).toEqual(['NO_NAME'])
  })

  it('leaves changes that are not known', () => {
    expect(asMerged({ ...preview(), changes: null }).changes).toBeNull()
  })
})

describe('lacksNamesWithBrands', () => {
  const totals = { rows: 365, importable: 0, skipped: 365 }

  it('is true where the names were taken for articles', () => {
    const columns = { article: [1], quantity: [2] }
    expect(lacksNamesWithBrands({ columns, totals, skipped_by_code: { NO_BRAND: 365 } })).toBe(true)
    expect(lacksNamesWithBrands({ columns, totals, skipped_by_code: { NO_ARTICLE: 365 } })).toBe(false)
  })

  it('is false where a column is read as the name', () => {
    const columns = { article: [1], name: [1], quantity: [2] }
    expect(lacksNamesWithBrands({ columns, totals, skipped_by_code: { NO_BRAND: 365 } })).toBe(false)
  })
})
