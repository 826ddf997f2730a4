import { expect, it } from '@jest/globals'
import { priceLists } from '../texts/en/price-lists.js'
import { warningText } from './warning-text.js'

const many = { code: 'MANY_SKIPPED', count: 10, message: 'as the server says it' } as const
const textOf = (skipped?: Readonly<Record<string, number>>) => warningText(many, priceLists.format, skipped)

it('doubts the columns where many rows are left out', () => {
  for (const skipped of [undefined, { NO_BRAND: 0 }, { NO_BRAND: 5 }])
    expect(textOf(skipped)).toBe('10 rows with goods would not be imported. Are the columns right?')
})

it('names what gives a brand where most of them lack one', () => {
  expect(textOf({ NO_ARTICLE: 4, NO_BRAND: 6 })).toBe(
    '10 rows with goods would not be imported, 6 of them for lack of a brand: ' +
      'try “One brand for all rows” or “Find known brands”.',
  )
})

it('names it, too, where no row at all can be imported', () => {
  const none = { code: 'NOTHING_TO_IMPORT', count: 365, message: 'as the server says it' } as const
  expect(warningText(none, priceLists.format, { NO_BRAND: 365 })).toBe(
    '365 rows with goods would not be imported, 365 of them for lack of a brand: ' +
      'try “One brand for all rows” or “Find known brands”.',
  )
  expect(warningText(none, priceLists.format, { NO_ARTICLE: 365 })).toBe(
    'The import would fail: no row can be imported.',
  )
})
