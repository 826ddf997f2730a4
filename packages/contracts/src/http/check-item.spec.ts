import { expect, it } from '@jest/globals'
import { checkItem } from './check-item.js'

it('says of an invalid item what the API would answer', () => {
  expect(checkItem('POST /products/batch-upsert', { id_erp: 'P-1', article: 7 }).rejected).toEqual({
    id: 'P-1',
    message: 'The name field is required. The article must be a string.',
  })
  expect(checkItem('POST /stocks/batch-update', 7).rejected).toEqual({ id: '', message: 'The item must be an object.' })
})

it('counts the fields that are ignored, and finds nothing else wrong with them', () => {
  const attributes = [
    { name: 'Height', value: '79', unit: 'mm' },
    { name: 'Width', value: '65', unit: 'mm' },
  ]
  const item = { id_erp: 'P-1', name: 'Oil filter', price: 5, attributes }
  expect(checkItem('POST /products/batch-upsert', item)).toEqual({
    rejected: undefined,
    ignored_fields: { price: 1, 'attributes.unit': 2 },
  })
})
