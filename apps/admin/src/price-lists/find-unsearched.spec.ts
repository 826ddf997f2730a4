import { expect, it } from '@jest/globals'
import { findUnsearched } from './find-unsearched.js'

const storage = { id: 1, name: 'North', is_active: true, kind: 'price-list', in_search: false } as const

// admin.md#storage-in-search
it('says that no search finds a list only where including its storage helps', () => {
  const isFound = (changes: object, id: number | undefined = 1) =>
    findUnsearched([{ ...storage, ...changes }], id) !== undefined
  expect(isFound({})).toBe(true)
  expect(isFound({ kind: 'http' })).toBe(false)
  expect(isFound({ kind: 'own-stock' })).toBe(false)
  expect(isFound({ is_active: false })).toBe(false)
  expect(isFound({ in_search: true })).toBe(false)
  // as a stock service of version 0.1 says it
  expect(isFound({ in_search: undefined })).toBe(false)
  expect(isFound({}, 2)).toBe(false)
})
