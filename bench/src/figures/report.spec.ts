import { describe, expect, it } from '@jest/globals'
import { mergeRows, replaceMarked } from './report.js'

const page = `before
<!-- imports: written by npm run bench -->
old
<!-- end of imports -->
after`

describe('replaceMarked', () => {
  it('replaces what is between the marks and nothing else', () => {
    expect(replaceMarked(page, 'imports', 'new')).toBe(page.replace('old', 'new'))
  })

  it('throws when the page has no such marks', () => {
    expect(() => replaceMarked(page, 'search', 'new')).toThrow('no place for the figures of search')
  })
})

describe('mergeRows', () => {
  const table = [
    '| What | Measured | Goal | Reached | Details |',
    '|---|---|---|---|---|',
    '| a | 1 |',
    '| b | 2 |',
  ].join('\n')

  it('replaces rows of the same name in place, adds new ones and leaves the others', () => {
    expect(mergeRows(table, ['| c | 5 |', '| a | 4 |'])).toEqual(['| a | 4 |', '| b | 2 |', '| c | 5 |'])
  })
})
