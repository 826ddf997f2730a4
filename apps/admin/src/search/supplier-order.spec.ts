import { expect, it } from '@jest/globals'
import { hitsFirst } from './supplier-order.js'

it('shows suppliers with rows first, then those that failed, each in their order', () => {
  const suppliers = [
    { id: 1, outcome: 'ok' as const, rows: 0 },
    { id: 2, outcome: 'timeout' as const, rows: 0 },
    { id: 3, outcome: 'ok' as const, rows: 1 },
    { id: 4, outcome: 'ok' as const, rows: 0 },
    { id: 5, outcome: 'ok' as const, rows: 7 },
  ]
  expect(hitsFirst(suppliers).map(({ id }) => id)).toEqual([3, 5, 2, 1, 4])
})
