import { expect, it } from '@jest/globals'
import { unionOfReplies } from './union-of-replies.js'

it.each<[string, string[][], string[]]>([
  ['one reply is returned unchanged', [['a', 'a', 'b']], ['a', 'a', 'b']],
  [
    'rows of two replies are returned once',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    ['a', 'b', 'c'],
  ],
  ['rows that one reply has twice are returned twice', [['a'], ['a', 'a'], ['a']], ['a', 'a']],
  ['no reply', [], []],
])('%s', (_rule, replies, rows) => {
  expect(unionOfReplies(replies)).toEqual(rows)
})
