import { describe, expect, it } from '@jest/globals'
import { readRange } from './byte-range.js'

describe('a range of a file of 1,000 bytes', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 999 }],
    ['bytes=990-', { first: 990, last: 999 }],
    ['bytes=990-5000', { first: 990, last: 999 }],
    ['bytes=-10', { first: 990, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['Bytes=1-2', { first: 1, last: 2 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['rows=0-1', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1', undefined],
    [`bytes=${'9'.repeat(400)}-`, undefined],
  ])('%j → %j', (header, range) => expect(readRange(header, 1_000)).toEqual(range))
})
