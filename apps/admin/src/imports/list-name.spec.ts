import { expect, it } from '@jest/globals'
import { listName } from './list-name.js'

it.each([
  [undefined, '…'],
  [[{ id: 7, name: 'Rossko' }], 'Rossko'],
  [[], '7'],
])('of the names %j', (names, name) => {
  expect(listName(7, names)).toBe(name)
})
