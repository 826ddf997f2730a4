import { describe, expect, it } from '@jest/globals'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import fc from 'fast-check'
import { readDeliveryDays } from './delivery-days.js'
import { readPrice, withMarkup } from './price.js'
import { readQuantity } from './quantity.js'

/*
 * Cells as nearly all are have a short way of their own. What is put around them here, and does not count, takes them
 * the long way.
 */

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`))
const text = fc.stringMatching(/^[ -~]{0,30}$/)

describe('the fast path for plain cells has the same results as the general rules', () => {
  it('quantities and days', () => {
    fc.assert(fc.property(digits(9), (cell) => expect(readQuantity(cell)).toBe(readQuantity(` ${cell}`))))
    fc.assert(fc.property(digits(3), (cell) => expect(readDeliveryDays(cell)).toBe(readDeliveryDays(` ${cell}`))))
  })

  it('prices with any decimal mark', () => {
    fc.assert(
      fc.property(
        digits(9),
        fc.option(digits(2)),
        fc.constantFrom(undefined, ',' as const, '.' as const),
        (whole, cents, mark) => {
          const cell = cents === null ? whole : `${whole}.${cents}`
          expect(readPrice(cell, mark)).toBe(readPrice(` ${cell}`, mark))
        },
      ),
    )
  })

  it('keys of articles and brands', () => {
    fc.assert(fc.property(text, (cell) => expect(articleKey(cell)).toBe(articleKey(`${cell}–`))))
    fc.assert(fc.property(text, (cell) => expect(brandKey(cell)).toBe(brandKey(`«${cell}»`))))
    fc.assert(
      fc.property(fc.constantFrom('VAG', 'fel-pro', 'A&B', 'C/D +1.2'), (cell) =>
        expect(brandKey(cell)).toBe(brandKey(` ${cell}`)),
      ),
    )
  })

  it('markups, compared with integer arithmetic', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: -100, max: 10_000 }),
        (cents, percent) => {
          const halfUp = (BigInt(cents) * BigInt(100 + percent) * 2n + 100n) / 200n
          fc.pre(halfUp < 10n ** 12n)
          expect(withMarkup(cents / 100, percent)).toBe(Number(halfUp) / 100)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
