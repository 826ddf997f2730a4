import { describe, expect, it } from '@jest/globals'
import { splitItems } from './supply-fact.js'

const MIB = 1024 * 1024
const facts = (count: number, erpId: string) =>
  Array.from({ length: count }, (_, id) => ({
    product_id: Number.MAX_SAFE_INTEGER - id,
    product_erp_id: erpId,
    quantity: Number.MAX_SAFE_INTEGER,
  }))
const bytes = (items: unknown) => Buffer.byteLength(JSON.stringify(items))

describe('splitItems', () => {
  it('a usual batch is one message, no facts are none', () => {
    expect(splitItems(facts(1_000, 'p-1'))).toHaveLength(1)
    expect(splitItems([])).toEqual([])
  })

  it.each([
    ['letters of four bytes', '\u{1F527}'],
    ['escaped signs', '"'],
    ['escaped controls', '\u0001'],
    ['Cyrillic', 'Ж'],
  ])('the largest batch with the longest names in %s stays below 1 MiB a message and loses nothing', (_name, sign) => {
    const all = facts(5_000, sign.repeat(191))
    const parts = splitItems(all)
    expect(parts.flat()).toEqual(all)
    for (const part of parts) expect(bytes(part)).toBeLessThan(MIB - 1_000)
  })

  it('nothing but what the contract names leaves', () => {
    const [part] = splitItems([{ product_id: 1, product_erp_id: 'a', quantity: 2, delivery_days: 3 } as never])
    expect(part).toEqual([{ product_id: 1, product_erp_id: 'a', quantity: 2 }])
  })
})
