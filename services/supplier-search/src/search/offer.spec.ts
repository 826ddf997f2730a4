import { describe, expect, it } from '@jest/globals'
import { partsRequest } from '@partsbus/contracts/supplier-search/commands'
import { readBrandRow, readOffer } from './offer.js'

const row = { brand: 'Knecht', article: 'OC90', name: 'Oil filter', quantity: 1 }

// rules.md#values-text: partners send brands and articles back, so those of suppliers are texts that they may send
describe.each(['\u0000', '\ud800', '\udc00'])('a text of a supplier with %j', (broken) => {
  it.each(['brand', 'article'] as const)('drops the row where it is the %s', (field) => {
    const wrong = { ...row, [field]: `${row[field]}${broken}` }
    expect(partsRequest.safeParse({ article: wrong.article, brands: [wrong.brand] }).success).toBe(false)
    expect([readBrandRow(wrong), readOffer(wrong)]).toEqual([undefined, undefined])
  })

  it('is blank where it is the name', () => {
    const wrong = { ...row, name: `Oil ${broken} filter` }
    expect([readBrandRow(wrong)?.name, readOffer(wrong)?.name]).toEqual(['', ''])
  })
})

it('a long name is cut to a text that is valid', () => {
  expect(readBrandRow({ ...row, name: `${'n'.repeat(999)}🚗` })?.name).toBe(`${'n'.repeat(999)}\ufffd`)
})
