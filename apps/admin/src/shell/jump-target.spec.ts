import { expect, it } from '@jest/globals'
import { importNumber, importTarget, jumpTarget, searchTarget } from './jump-target.js'

const references = {
  price_lists: [
    { id: 7, name: 'Rossko' },
    { id: 8, name: 'Berg' },
    { id: 9, name: 'Summer tyres' },
    { id: 10, name: 'Winter tyres 2018' },
  ],
  storages: [
    { id: 3, name: 'Berg API' },
    { id: 4, name: 'Main warehouse' },
    { id: 5, name: 'Summer tyres' },
  ],
  pick_up_points: [{ id: 1, name: 'Shop, Riga' }],
}

it.each([
  ['rossko', '/price-lists/7'],
  ['Berg', '/price-lists/8'],
  ['berg api', '/storages/3'],
  ['warehouse', '/storages/4'],
  ['riga', '/points/1'],
  ['summer', '/price-lists/9'],
  ['tyres', undefined],
  ['4711', undefined],
  ['oc 1051', undefined],
  ['be', undefined],
])('leads from "%s" to %s', (typed, target) => {
  expect(jumpTarget(typed, references)).toBe(target)
})

it.each([
  ['4711', 4711],
  [' 12 ', 12],
  ['01016600', undefined],
  ['0', undefined],
  ['4711a', undefined],
  ['1234567890123456', undefined],
])('reads "%s" as the import %s', (typed, id) => {
  expect(importNumber(typed)).toBe(id)
})

it('leads to an import, and from there to the article of the same digits', () => {
  expect(importTarget(4711)).toBe('/imports/4711?article=4711')
})

it('searches for anything else', () => {
  expect(searchTarget(' OC 1051/2 ')).toBe('/search?article=OC+1051%2F2')
})
