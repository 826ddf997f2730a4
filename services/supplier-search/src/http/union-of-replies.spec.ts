import { expect, it } from '@jest/globals'
import { UnionOfReplies } from './union-of-replies.js'

const unite = (replies: string[][], limit?: number) => {
  const union = new UnionOfReplies<string>(limit)
  for (const reply of replies) union.add(reply)
  return union
}

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
  ['empty replies come first', [[], [], ['a', 'a'], ['a']], ['a', 'a']],
  ['no reply', [], []],
])('%s', (_rule, replies, rows) => {
  expect(unite(replies)).toMatchObject({ rows, isCut: false })
})

it('leaves out rows beyond the limit, and equal ones do not count', () => {
  expect(unite([['a', 'b'], ['a', 'b'], ['c']], 3)).toMatchObject({ rows: ['a', 'b', 'c'], isCut: false })
  expect(
    unite(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      3,
    ),
  ).toMatchObject({ rows: ['a', 'b', 'c'], isCut: true })
  expect(unite([['a', 'b', 'c', 'd']], 3)).toMatchObject({ rows: ['a', 'b', 'c'], isCut: true })
})
