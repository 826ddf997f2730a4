import { expect, it } from '@jest/globals'
import { describeIssues } from '../violation.js'
import { newPriceList, priceListPatch } from './price-list.js'

const violations = (body: object): Record<string, string[]> => {
  const { error } = newPriceList.safeParse(body)
  return error ? describeIssues(error.issues, body, '') : {}
}

// admin.md#price-list-storage
it.each<[object, Record<string, string[]>]>([
  [{ name: 'L', storage_id: 1 }, {}],
  [{ name: 'L', storage: { name: 'S' }, in_search: true }, {}],
  [{ name: 'L' }, { storage_id: ['The storage_id field is required.'] }],
  [{}, { name: ['The name field is required.'], storage_id: ['The storage_id field is required.'] }],
  [{ name: 'L', storage: { name: ' ' } }, { 'storage.name': ['The name field is required.'] }],
  [{ name: 'L', storage: {} }, { 'storage.name': ['The name field is required.'] }],
  [
    { name: 'L', storage: { name: 'S', supplier: { kind: 'own-stock' } } },
    { 'storage.supplier': ['The supplier field is unknown.'] },
  ],
  [
    { name: 'L', storage_id: 1, storage: { name: 'S' } },
    { storage_id: ['The storage_id must not be sent together with a storage.'] },
  ],
  [{ name: 'L', storage_id: 1, in_search: 1 }, { in_search: ['The in_search field must be true or false.'] }],
])('a new list %j has the violations %j', (body, expected) => {
  expect(violations(body)).toEqual(expected)
})

it('a change of a list makes no storage, and does not touch the search', () => {
  for (const patch of [{ storage: { name: 'S' } }, { in_search: true }])
    expect(priceListPatch.safeParse(patch).success).toBe(false)
})
