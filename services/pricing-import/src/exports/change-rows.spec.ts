import { expect, it } from '@jest/globals'
import type { VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import { changeView } from '../changes/change-view.js'
import { FIRST_COPY } from '../offers/offer-id.js'
import type { Cell } from './csv.js'
import { changeRows } from './change-rows.js'
import { exportWords } from './export-words.js'

const offer = (values: object = {}) => ({
  ...{ brand: 'BOSCH', brand_key: 'BOSCH', article: '0 1', article_key: '01' },
  ...{ name: 'Pads', quantity: 4, price: 10, delivery_days: null, ...values },
})
const changed = changeView({ kind: 'dearer', old: 2, new: FIRST_COPY }, offer(), offer({ price: 10.5, name: 'Disk' }))
const added = changeView({ kind: 'added', old: 0, new: 3 }, undefined, offer({ price: null }))
const gone = changeView({ kind: 'gone', old: 4, new: 0 }, offer({ delivery_days: 2 }), undefined)

// admin.md#version-changes
it('a change has both sides, what differs, and the difference of the price in percent', () => {
  expect(changed).toEqual({
    ...{ kind: 'dearer', brand: 'BOSCH', article: '0 1', changed: ['price', 'name'], price_percent: 5 },
    old: { name: 'Pads', quantity: 4, price: 10, delivery_days: null, row: 2 },
    new: { name: 'Disk', quantity: 4, price: 10.5, delivery_days: null, row: null },
  })
  expect(added).toMatchObject({ changed: [], price_percent: null, old: null, new: { row: 3 } })
  const free = changeView({ kind: 'dearer', old: 2, new: 2 }, offer({ price: 0 }), offer())
  expect(free?.price_percent).toBeNull()
})

it('a change of which one side was deleted is none', () => {
  expect(changeView({ kind: 'dearer', old: 2, new: 2 }, offer(), undefined)).toBeUndefined()
  expect(changeView({ kind: 'gone', old: 2, new: 0 }, undefined, undefined)).toBeUndefined()
})

// admin.md#change-files
it('the rows of the file have old and new values, page by page', async () => {
  const all = [changed, added, gone] as VersionChange[]
  const read: Cell[][] = []
  const asked: number[] = []
  const pages = changeRows(async (position) => {
    asked.push(position)
    return { data: all.slice(position, position + 2), next: position + 2 }
  }, exportWords(undefined))
  for await (const batch of pages) read.push(...batch)
  expect(asked).toEqual([0, 2, 4])
  expect(read[0]?.slice(0, 7)).toEqual([
    ...['kind', 'brand', 'article', 'name', 'old_price', 'new_price', 'price_percent'],
  ])
  const named: Cell[][] = []
  const inSheets = changeRows(async (position) => ({ data: all.slice(position), next: 9 }), exportWords('ru'), {
    old: (row) => `Old!${row}`,
    new: (row) => `New!${row}`,
  })
  for await (const batch of inSheets) named.push(...batch)
  expect(named.slice(1).map((cells) => cells.slice(-2))).toEqual([
    ['Old!2', null],
    [null, 'New!3'],
    ['Old!4', null],
  ])
  expect(read.slice(1)).toEqual([
    ['dearer', 'BOSCH', '0 1', 'Disk', 10, 10.5, 5, 4, 4, null, null, 'Pads', 2, null],
    ['added', 'BOSCH', '0 1', 'Pads', null, null, null, null, 4, null, null, '', null, 3],
    ['gone', 'BOSCH', '0 1', 'Pads', 10, null, null, 4, null, 2, null, '', 4, null],
  ])
})
