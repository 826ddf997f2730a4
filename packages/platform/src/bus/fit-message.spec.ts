import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { expect, it } from '@jest/globals'
import { fitBatch, fitMessage } from './fit-message.js'

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

it('empties the details of a delete, then cuts the ids that were not found (erp.md#batch-fits)', () => {
  const not_found = Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(191, 'x'))
  const reply = { requested: 1_000, deactivated: 0, not_found, details: { unchanged: 0, items: not_found } }
  expect(fitBatch(reply, 300_000)).toEqual({ ...reply, details: { unchanged: 0, items: [] } })
  const cut = fitBatch(reply, 150_000) as typeof reply
  expect(cut).toEqual({
    ...reply,
    not_found: not_found.slice(0, cut.not_found.length),
    details: { unchanged: 0, items: [] },
  })
  expect(cut.not_found.length).toBeGreaterThan(400)
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(150_000)
})
