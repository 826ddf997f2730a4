import { expect, it } from '@jest/globals'
import { inOrderSent } from './in-order-sent.js'

// erp.md#status-2
it('answers one row for each id, in the order sent', () => {
  expect(inOrderSent(['b', 'a', 'b'], (id) => ({ id }))).toEqual([{ id: 'b' }, { id: 'a' }, { id: 'b' }])
})

// erp.md#status-6
it('refuses rows that are repeated beyond 8 MiB, and serializes none of them', () => {
  const row = { text: 'x'.repeat(1024 * 1024) }
  expect(inOrderSent(Array<string>(7).fill('a'), () => row)).toHaveLength(7)
  expect(() => inOrderSent(Array<string>(8).fill('a'), () => row)).toThrow(
    expect.objectContaining({ code: 'TOO_LARGE', message: expect.stringContaining('Request fewer items at once') }),
  )
})
