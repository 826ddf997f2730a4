import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { expect, it } from '@jest/globals'
import { fitMessage } from './fit-message.js'

it('returns rows that fit unchanged, and otherwise the first ones', () => {
  const name = 'Ф'.repeat(1_000)
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name }))
  const fitting = fitMessage(rows, 3_000)
  expect(fitting.length).toBeGreaterThan(4_000)
  expect(fitting).toEqual(rows.slice(0, fitting.length))
  const bytes = Buffer.byteLength(JSON.stringify(fitting))
  expect(bytes).toBeLessThan(MAX_BODY_BYTES)
  expect(bytes).toBeGreaterThan(MAX_BODY_BYTES - 70_000)
  expect(fitMessage(rows.slice(0, 3_000), 3_000)).toEqual(rows.slice(0, 3_000))
})
