import { describe, expect, it } from '@jest/globals'
import { planSupplies, supplyKey } from './plan-supplies.js'

const products = new Map([
  ['a', 1],
  ['b', 2],
])

describe('planSupplies', () => {
  it.each([
    ['a date is midnight UTC', { supply_date: '2027-01-31' }, { supply_date: new Date('2027-01-31T00:00:00Z') }],
    ['an empty date is left out', { supply_date: '' }, {}],
    ['null is left out', { supply_date: null, delivery_days: null }, {}],
    ['0 days is a value', { delivery_days: 0 }, { delivery_days: 0 }],
  ])('%s (erp.md#stocks-5, erp.md#stocks-6)', (_name, sent, planned) => {
    expect(planSupplies([{ product_id_erp: 'a', quantity: 3, ...sent }], products).changes).toEqual([
      { product_id: 1, product_erp_id: 'a', quantity: 3, ...planned },
    ])
  })

  it('takes the last quantity of a repeated product and keeps what later items leave out', () => {
    const plan = planSupplies(
      [
        { product_id_erp: 'a', quantity: 1, supply_date: '2027-01-01', delivery_days: 3 },
        { product_id_erp: 'b', quantity: 5 },
        { product_id_erp: 'a', quantity: 2, supply_date: '2027-02-01' },
        { product_id_erp: 'a', quantity: 0 },
      ],
      products,
    )
    expect(plan.changes).toEqual([
      {
        product_id: 1,
        product_erp_id: 'a',
        quantity: 0,
        supply_date: new Date('2027-02-01T00:00:00Z'),
        delivery_days: 3,
      },
      { product_id: 2, product_erp_id: 'b', quantity: 5 },
    ])
    expect(plan.updated).toBe(4)
  })

  it('reports items of unknown products, also one named `constructor` (erp.md#stocks-2)', () => {
    const plan = planSupplies(
      [
        { product_id_erp: 'x', quantity: 1 },
        { product_id_erp: 'x', quantity: 1 },
        { product_id_erp: 'constructor', quantity: 1 },
      ],
      products,
    )
    expect(plan).toEqual({
      changes: [],
      updated: 0,
      errors: ['x', 'x', 'constructor'].map((id) => ({
        product_id_erp: id,
        message: 'Product not found for given ERP ID.',
      })),
    })
  })
})

it('builds the key of a supply from product, point and storage', () => {
  expect(supplyKey(1, { pick_up_point_id: 2, storage_id: 3 })).toBe('1:2:3')
})
