import { expect, it } from '@jest/globals'
import { unionOfReplies } from './union-of-replies.js'

it.each<[string, string[][], string[]]>([
  ['one reply is taken as it is', [['a', 'a', 'b']], ['a', 'a', 'b']],
  [
    'what two replies hold is there once',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    ['a', 'b', 'c'],
  ],
  ['what one reply holds twice is there twice', [['a'], ['a', 'a'], ['a']], ['a', 'a']],
  ['no reply', [], []],
])('%s', (_rule, replies, rows) => {
  expect(unionOfReplies(replies)).toEqual(rows)
})
