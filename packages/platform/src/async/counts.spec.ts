import { expect, it } from '@jest/globals'
import { Counts } from './counts.js'

it('counts by key, and forgets a key that has nothing', () => {
  const counts = new Counts()
  counts.add('a')
  counts.add('b', 5)
  counts.add('a', 2)
  expect(['a', 'b', 'c'].map((key) => counts.of(key))).toEqual([3, 5, 0])
  counts.add('a', -3)
  counts.add('c', -1)
  expect(counts.of('c')).toBe(0)
  expect(counts.keys()).toEqual(['b'])
})
