import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { type SearchUnderTest, startSearchUnderTest } from './testing/search-under-test.js'

jest.setTimeout(60_000)

let search: SearchUnderTest
beforeAll(async () => {
  search = await startSearchUnderTest()
})
afterAll(() => search?.stop())

it('finds nothing in a healthy service, and an index that was dropped', async () => {
  expect(await askService(search.calls, 'supplier-search', false)).toMatchObject({ schema_version: 1, findings: [] })
  await search.db.collection('brand_synonyms').dropIndex('keys_unique')
  expect(await askService(search.calls, 'supplier-search', false)).toMatchObject({
    findings: [{ code: 'index-missing' }],
  })
})
