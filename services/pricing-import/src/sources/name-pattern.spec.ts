import { describe, expect, it } from '@jest/globals'
import { matchesPattern } from './name-pattern.js'

describe('patterns with *', () => {
  it.each<[string, string, boolean]>([
    ['price.csv', 'price.csv', true],
    ['PRICE.CSV', 'price.csv', true],
    ['price.csv', '*.csv', true],
    ['price.xls', '*.csv', false],
    ['price-2026.csv', 'price*', true],
    ['my price.csv', 'price*', false],
    ['a-b-c.csv', 'a*b*c.csv', true],
    ['a.csv', 'a*a.csv', false],
    ['anything', '', true],
    ['anything', '*', true],
    ['ab', 'a*b*', true],
    ['a.csv', 'a?csv', false],
    ['aXcsv', 'a.csv', false],
    ['Прайс.xlsx', 'прайс*', true],
  ])('%j against %j: %j', (text, pattern, matches) => {
    expect(matchesPattern(text, pattern)).toBe(matches)
  })
})
