import { describe, expect, it } from '@jest/globals'
import { type Capacity, capacityTables, perSecond } from './capacity-page.js'
import { render } from '../figures/results.js'
import { DiskBytes } from '../meters/disk-use.js'

const bytes = (data: number, indexes: number, bus: number): DiskBytes =>
  new DiskBytes(
    new Map([
      ['catalog.products', data],
      ['catalog.leases', 10],
    ]),
    new Map([['catalog.products', indexes]]),
    bus,
  )

const capacity: Capacity = {
  growth: [
    {
      what: 'product',
      count: 1_000,
      total: 2_000,
      ms: 500,
      processor: new Map([
        ['catalog', 100],
        ['postgres', 200],
      ]),
      disk: bytes(3_000_010, 1_500_000, 500_000).minus(bytes(1_000_010, 500_000, 0)),
    },
  ],
  costs: [{ what: 'a small request', processor: new Map([['catalog', 2]]) }],
  idle: new Map([['catalog', 0.012]]),
  idleMemory: new Map([
    ['catalog', 90.2],
    ['postgres', 60],
  ]),
  peakMemory: new Map([['catalog', 200]]),
}

describe('capacityTables', () => {
  const tables = render({ page: '', how: '', tables: capacityTables(capacity) })

  it('divides the growth of the disk by the items', () => {
    expect(tables).toContain('| product | 1,000 | 2,000 | 3,500 | 2,000 | 1,000 | 500 | catalog.products 3,000 |')
  })

  it('divides time by items and processes', () => {
    expect(tables).toContain('| product | 1,000 | 2,000 | 2,000 | 0.10 | 0.20 | 0.30 |')
  })

  it('shows the memory of each process that runs', () => {
    expect(tables).toContain('| catalog | 90 | 200 | 1.2 % |')
    expect(tables).not.toContain('| gateway |')
  })

  it('leaves out the limit of a process that does not take part', () => {
    expect(tables).toContain('| a small request | 300 | – |')
  })
})

describe('perSecond', () => {
  it('rounds to two digits', () => {
    expect(perSecond(0.7)).toBe('860')
    expect(perSecond(45)).toBe('13')
  })
})
