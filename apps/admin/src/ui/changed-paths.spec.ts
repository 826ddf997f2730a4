import { expect, it } from '@jest/globals'
import {
  changedPaths,
  countChanges,
  mergeLists,
  valueAt,
  withLaterEdits,
  withValueAt,
  withValuesFrom,
} from './changed-paths.js'

const stored = { name: 'Berg', supplier: { kind: 'http', base_url: 'https://a.example' }, ids: [1, 2] }

it('names the paths that differ, an array as a whole', () => {
  const draft = { name: 'Berg', supplier: { kind: 'http', base_url: 'https://b.example' }, ids: [1, 3] }
  expect(changedPaths(stored, draft)).toEqual(['supplier.base_url', 'ids'])
})

it('names nothing for an equal copy', () => {
  expect(changedPaths(stored, structuredClone(stored))).toEqual([])
})

it('names a field that was added or removed', () => {
  expect(changedPaths({ a: 1 }, { b: 1 })).toEqual(['a', 'b'])
})

it.each([
  [stored, structuredClone(stored), 0],
  [stored, { ...stored, name: 'Other', ids: [3, 4] }, 2],
  [{}, { columns: { brand: 1, article: 2, price: 'Цена' } }, 3],
  [{ encoding: 'auto', columns: { brand: 1, name: { value: 'x' } } }, { encoding: 'cp866' }, 3],
  [{ a: 1 }, { a: { b: 1, c: 2 } }, 1],
  [{}, { columns: {} }, 1],
])('counts %j → %j as %d changes', (before, after, count) => {
  expect(countChanges(before, after)).toBe(count)
})

it('reads and replaces a value by its path', () => {
  expect(valueAt(stored, 'supplier.kind')).toBe('http')
  expect(valueAt(stored, 'supplier.none.deeper')).toBeUndefined()
  expect(withValueAt(stored, 'supplier.kind', 'own-stock')).toEqual({
    ...stored,
    supplier: { kind: 'own-stock', base_url: 'https://a.example' },
  })
})

it('keeps what was typed while a draft was being saved', () => {
  const sent = { ...stored, name: ' Berg GmbH ', removed: { at: 1 } }
  const now = { ...stored, name: ' Berg GmbH ', supplier: { kind: 'http', base_url: 'https://b.example' }, added: 2 }
  const saved = { ...stored, name: 'Berg GmbH', removed: { at: 1 } }
  expect(withLaterEdits<object>(sent, now, saved)).toStrictEqual({
    name: 'Berg GmbH',
    supplier: { kind: 'http', base_url: 'https://b.example' },
    ids: [1, 2],
    added: 2,
  })
})

it('takes the values of some paths, and a part that is gone as a whole', () => {
  const mine = { ...stored, name: 'Mine', supplier: { kind: 'http', base_url: 'https://b.example' } }
  const current: object = { name: 'Theirs', ids: [1, 2] }
  expect(withValuesFrom(current, mine, ['supplier.base_url'])).toEqual({ ...mine, name: 'Theirs' })
  expect(withValuesFrom<object>(stored, current, ['supplier'])).toStrictEqual({ name: 'Berg', ids: [1, 2] })
})

it('joins what two people added to a list and removed from it', () => {
  expect(mergeLists(['a', 'b', 'c'], ['b', 'c', 'mine'], ['a', 'c', 'theirs'])).toEqual(['c', 'theirs', 'mine'])
  expect(mergeLists([], ['a'], ['a'])).toEqual(['a'])
  expect([mergeLists('a', ['a'], ['b']), mergeLists([{}], [{}], [])]).toEqual([undefined, undefined])
})
