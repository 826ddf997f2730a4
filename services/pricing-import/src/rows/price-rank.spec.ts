import { describe, expect, it } from '@jest/globals'
import { priceRank, rankedPrice } from './price-rank.js'
import { ReplacedRows } from './replaced-rows.js'

describe('the rank of a row (rules.md#duplicates)', () => {
  it('puts rows in stock first, then the cheapest, those without a price last', () => {
    const ranks = [
      { price: 0, quantity: 1 },
      { price: 9.99, quantity: 1 },
      { price: 1e12, quantity: 1 },
      { price: null, quantity: 1 },
      { price: 1, quantity: 0 },
      { price: null, quantity: 0 },
    ].map(priceRank)
    expect(ranks).toEqual([...ranks].sort((one, other) => one - other))
    expect(new Set(ranks).size).toBe(ranks.length)
  })

  it.each([0, 0.01, 1234.56, 999_999_999.99, null])('keeps the price %p', (price) => {
    expect(rankedPrice(priceRank({ price, quantity: 1 }))).toBe(price)
    expect(rankedPrice(priceRank({ price, quantity: 0 }))).toBe(price)
  })
})

describe('replaced rows', () => {
  it('are replaced by the row that is imported, not by one in between', () => {
    const rows = new ReplacedRows(9)
    rows.set(1, 4)
    rows.set(4, 3)
    rows.set(3, 8)
    rows.set(5, 3)
    rows.resolve()
    expect(Array.from({ length: 10 }, (_, row) => rows.by(row))).toEqual([0, 8, 0, 8, 8, 8, 0, 0, 0, 0])
    const none = new ReplacedRows(3)
    none.resolve()
    expect(none.by(2)).toBe(0)
  })
})
