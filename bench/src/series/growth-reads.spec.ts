import { expect, it } from '@jest/globals'
import { doublings, spread } from './growth-reads.js'

it('doubles from the first total and ends with the last', () => {
  expect(doublings(10_000, 1_000_000)).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 1_000_000])
  expect(doublings(1_000, 1_000)).toEqual([1_000])
})

it('spreads numbers below a count', () => {
  const numbers = Array.from({ length: 50 }, (_, turn) => spread(turn, 100))
  expect(new Set(numbers).size).toBeGreaterThan(40)
  expect(numbers.every((one) => one >= 0 && one < 100)).toBe(true)
})
