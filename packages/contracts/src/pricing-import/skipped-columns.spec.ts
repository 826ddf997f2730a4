import { expect, it } from '@jest/globals'
import { hasSkippedColumns, skippedColumns } from './skipped-columns.js'

// admin.md#skipped-files
it.each(Object.entries(skippedColumns))('a file of skipped rows is recognised by its columns: %s', (_, names) => {
  expect(hasSkippedColumns(['Brand', 'Article', ...names])).toBe(true)
  expect(hasSkippedColumns(['Brand', 'Article', ...names.slice(1)])).toBe(false)
})

it('another header is not taken for one', () => {
  expect(hasSkippedColumns(['Brand', 'Article', 'Reason'])).toBe(false)
})
