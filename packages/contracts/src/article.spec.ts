import { describe, expect, it } from '@jest/globals'
import { articleKey, brandKey } from './article.js'

describe('articles', () => {
  it.each([
    ['33-2247', '332247'],
    ['0986479w30', '0986479W30'],
    ['01016600', '01016600'],
    ['150-031260-001_B', '150031260001B'],
    ['0 986 494 401', '0986494401'],
    ['вф-9101к', 'ВФ9101К'],
    ['ＡＢ－１２', 'AB12'],
    ['ß-1', 'SS1'],
    ['--- / ---', ''],
  ])('%j is compared as %j', (raw, key) => {
    expect(articleKey(raw)).toBe(key)
  })
})

describe('brands', () => {
  it.each([
    [' Fel-Pro ', 'FEL-PRO'],
    ['FOUR  SEASONS', 'FOUR SEASONS'],
    ['ООО «Белшина»', 'ООО БЕЛШИНА'],
    ['"KYB"', 'KYB'],
    ['Lemförder', 'LEMFÖRDER'],
    ['HYUNDAI / KIA', 'HYUNDAI / KIA'],
  ])('%j is compared as %j', (raw, key) => {
    expect(brandKey(raw)).toBe(key)
  })
})

it('has at most 1,000 characters, also of a text that NFKC makes longer', () => {
  const text = '\ufdfa'.repeat(191)
  expect([articleKey(text).length, brandKey(text).length].filter((length) => length > 1_000)).toEqual([])
})
