import { describe, expect, it } from '@jest/globals'
import { splitItems } from './supply-event-items.js'

const MIB = 1024 * 1024
const items = (count: number, erpId: string) =>
  Array.from({ length: count }, (_, id) => ({
    product_id: Number.MAX_SAFE_INTEGER - id,
    product_erp_id: erpId,
    quantity: Number.MAX_SAFE_INTEGER,
    revision: Number.MAX_SAFE_INTEGER,
  }))
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('splitItems', () => {
  it('puts a usual batch into one message and no items into none', () => {
    expect(splitItems(items(1_000, 'p-1'))).toHaveLength(1)
    expect(splitItems([])).toEqual([])
  })

  it.each([
    ['letters of four bytes', '\u{1F527}'],
    ['escaped signs', '"'],
    ['escaped controls', '\u0001'],
    ['Cyrillic', 'Ж'],
  ])('keeps each message below 1 MiB and loses nothing for the longest names in %s', (_name, sign) => {
    const all = items(5_000, sign.repeat(191))
    const parts = splitItems(all)
    expect(parts.flat()).toEqual(all)
    for (const part of parts) expect(bytes(part)).toBeLessThan(MIB - 1_000)
  })

  it('drops fields that the contract does not have', () => {
    const [part] = splitItems([
      { product_id: 1, product_erp_id: 'a', quantity: 2, revision: 1, delivery_days: 3 } as never,
    ])
    expect(part).toEqual([{ product_id: 1, product_erp_id: 'a', quantity: 2, revision: 1 }])
  })
})
