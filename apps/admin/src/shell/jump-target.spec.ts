import { expect, it } from '@jest/globals'
import { jumpTarget, searchTarget } from './jump-target.js'

const references = {
  price_lists: [
    { id: 7, name: 'Rossko' },
    { id: 8, name: 'Berg' },
  ],
  storages: [
    { id: 3, name: 'Berg API' },
    { id: 4, name: 'Main warehouse' },
  ],
  pick_up_points: [{ id: 1, name: 'Shop, Riga' }],
}

it.each([
  ['4711', '/imports/4711'],
  [' 0012 ', '/imports/12'],
  ['rossko', '/price-lists/7'],
  ['Berg', '/price-lists/8'],
  ['berg api', '/storages/3'],
  ['warehouse', '/storages/4'],
  ['riga', '/points/1'],
  ['oc 1051', undefined],
  ['be', undefined],
])('leads from "%s" to %s', (typed, target) => {
  expect(jumpTarget(typed, references)).toBe(target)
})

it('leads a number to its import before the names are known', () => {
  expect(jumpTarget('12', undefined)).toBe('/imports/12')
  expect(jumpTarget('Berg', undefined)).toBeUndefined()
})

it('searches for anything else', () => {
  expect(searchTarget(' OC 1051/2 ')).toBe('/search?article=OC+1051%2F2')
})
