import { describe, expect, it } from '@jest/globals'
import { absenceOf, soldOutIn } from './not-found.js'

const supplier = (storage_name: string, part: object = {}) => ({
  storage_id: 1,
  storage_name,
  kind: 'price-list' as const,
  outcome: 'ok' as const,
  ms: 5,
  rows: 0,
  from_cache: false,
  error: null,
  ...part,
})

describe('an article without a brand', () => {
  it('is nowhere if all storages were asked and answered', () => {
    expect(absenceOf({ asked: 1, of: 1, suppliers: [supplier('North')] })).toEqual({ why: 'nowhere' })
  })

  it.each([
    ['not all were asked', 1, 2, {}],
    ['their number is unknown', 1, null, {}],
    ['one did not answer', 1, 1, { outcome: 'timeout' }],
  ])('is not in those that were asked if %s', (_why, asked, of, part) => {
    expect(absenceOf({ asked, of, suppliers: [supplier('North', part)] })).toEqual({ why: 'not-in-asked' })
  })

  it('has no name where a price list has it', () => {
    const suppliers = [supplier('North'), supplier('Tyres', { rows: 2 }), supplier('API', { kind: 'http', rows: 1 })]
    expect(absenceOf({ asked: 3, of: 3, suppliers })).toEqual({ why: 'unnamed', storages: ['Tyres'] })
  })

  it('is unfit for partners where only others have rows', () => {
    const suppliers = [supplier('North'), supplier('API', { kind: 'http', rows: 1 })]
    expect(absenceOf({ asked: 2, of: 2, suppliers })).toEqual({ why: 'unfit', storages: ['API'] })
  })
})

it('is sold out in the list of a storage, or in the storage of several', () => {
  const storages = [1, 2, 3].map((id) => ({ storage_id: id, storage_name: `Storage ${id}` }))
  const list = (name: string, storage_id: number, is_active = true) => ({ name, storage_id, is_active })
  const lists = [list('North', 1), list('Old', 1, false), list('Tyres', 2), list('Disks', 2)]
  expect(soldOutIn(storages, lists)).toEqual(['North', 'Storage 2', 'Storage 3'])
})
