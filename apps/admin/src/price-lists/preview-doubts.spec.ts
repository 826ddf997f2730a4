import { describe, expect, it } from '@jest/globals'
import { asMerged, doubtsOf } from './preview-doubts.js'

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
    ['NO_NAME', 100, false],
    ['TOO_FEW_ROWS', 100, false],
  ])('%s of %i: %s', (code, count, isAsked) => {
    expect(codes(doubtsOf(preview([code, count])))).toEqual(isAsked ? [code] : [])
  })
})

describe('asMerged', () => {
  it('lets nothing go', () => {
    const changes = { added: 60, gone: 140, repriced: 3, is_estimate: false }
    const merged = asMerged({ ...preview(['LIST_SHRINKS', 140], ['TOO_FEW_ROWS', 60], ['NO_NAME', 2]), changes })
    expect(merged.changes).toEqual({ added: 60, gone: 0, repriced: 3, is_estimate: false })
    expect(codes(merged.warnings)).toEqual(['NO_NAME'])
  })

  it('leaves changes that are not known', () => {
    expect(asMerged({ ...preview(), changes: null }).changes).toBeNull()
  })
})
