import { describe, expect, it } from '@jest/globals'
import { SeenBrands } from './seen-brands.js'

function doubtful(brands: readonly string[]): number {
  const seen = new SeenBrands()
  for (const brand of brands) seen.add(brand)
  return seen.doubtful
}
const rows = (count: number, brandOf: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => brandOf(row))

describe('SeenBrands', () => {
  it.each([
    ['one brand in each row', rows(1_000, () => 'BOSCH'), 0],
    ['forty brands in a thousand rows', rows(1_000, (row) => `BRAND${'X'.repeat(row % 40)}`), 0],
    ['few rows, each with its own brand', rows(19, (row) => `BRAND${row}`), 0],
    ['a number in each row', rows(500, (row) => `OC${row}`), 500],
    ['numbers in every second row', rows(500, (row) => `OC${row - (row % 2)}`), 250],
    ['a name in each row', rows(100, (row) => 'N'.repeat(row + 1)), 100],
    ['names in every second row', rows(100, (row) => 'N'.repeat(row - (row % 2) + 1)), 0],
    ['no row', [], 0],
  ])('%s', (_, brands, expected) => {
    expect(doubtful(brands)).toBe(expected)
  })

  it('looks at the first rows alone', () => {
    expect(doubtful([...rows(10_000, () => 'BOSCH'), ...rows(100_000, (row) => `OC${row}`)])).toBe(0)
  })
})
