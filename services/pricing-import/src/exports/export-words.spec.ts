import { describe, expect, it } from '@jest/globals'
import { fields } from '../rows/field-headings.js'
import { guessColumns, normalHeading } from '../rows/heading.js'
import { exportWords } from './export-words.js'

// admin.md#export-language
describe.each([undefined, 'en', 'ru'] as const)('the words of an export in %s', (language) => {
  const words = exportWords(language)

  it('name columns that an import finds again', () => {
    const found = guessColumns(words.offerColumns.map(normalHeading), fields)
    expect(Object.fromEntries(found)).toEqual({
      brand: 0,
      article: 1,
      name: 2,
      quantity: 3,
      price: 4,
      delivery_days: 5,
    })
  })

  it('name reasons by no heading that an import looks for', () => {
    expect(guessColumns(words.reasonColumns.map(normalHeading), fields).size).toBe(0)
  })
})

it.each(['en', 'ru'] as const)('the words of a file of changes in %s are as many as for programs', (language) => {
  const [words, fields] = [exportWords(language), exportWords(undefined)]
  expect(words.changeColumns).toHaveLength(fields.changeColumns.length)
  expect(new Set(words.changeColumns).size).toBe(fields.changeColumns.length)
})

const named = (version: number, number: number) => ({ version, number })

it.each([
  [undefined, 'changes-7-v38-v41'],
  ['en', 'Changes Rossko v3 to v4'],
  ['ru', 'Изменения Rossko v3 - v4'],
] as const)('the name of a file of changes in %s is %s', (language, expected) => {
  expect(exportWords(language).changesFile({ id: 7, name: 'Rossko' }, named(38, 3), named(41, 4))).toBe(expected)
})

describe('the name of a file of offers', () => {
  it.each([
    [undefined, 'Rossko', 3, 'offers-7-v41'],
    [undefined, 'Rossko', null, 'offers-7'],
    ['ru', 'Rossko', 3, 'Предложения Rossko v3'],
    ['ru', 'Rossko', null, 'Предложения Rossko'],
    ['en', 'A/B: "x"\n*', 3, 'Offers A B x v3'],
    ['en', '🛞'.repeat(90), 3, `Offers ${'🛞'.repeat(80)} v3`],
  ] as const)('%s, %j, version %s: %s', (language, name, version, expected) => {
    expect(exportWords(language).offersFile({ id: 7, name }, version && named(41, version))).toBe(expected)
  })
})
