import { expect, it } from '@jest/globals'
import { readIfMatch } from './revisions.js'

// admin.md#revisions
it.each<[string | undefined, number[] | undefined]>([
  [undefined, undefined],
  ['*', undefined],
  ['"5"', [5]],
  ['"5", "17"', [5, 17]],
  ['W/"5"', [5]],
  ['"5-gzip"', [5]],
  ['"5-zstd", W/"6-br"', [5, 6]],
  ['5', []],
  ['"5-x"', []],
  ['"nonsense"', []],
])('reads the revisions of If-Match, also after a proxy that compresses: %s', (header, revisions) => {
  expect(readIfMatch(header)).toEqual(revisions)
})
