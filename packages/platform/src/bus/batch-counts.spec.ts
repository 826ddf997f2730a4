import { describe, expect, it } from '@jest/globals'
import { countBatch, noteUnchanged, readCounts, writeCounts } from './batch-counts.js'

describe('countBatch', () => {
  it('gives the numbers and the lengths of the lists of a batch (erp.md#batch-log)', () => {
    const reply = { processed: 3, created: 1, updated: 2, errors: [{ id_erp: 'a', message: 'b' }], details: {} }
    expect(countBatch(reply)).toEqual({ processed: 3, created: 1, updated: 2, errors: 1 })
    expect(countBatch(noteUnchanged(reply, 2))).toEqual({
      processed: 3,
      created: 1,
      updated: 2,
      errors: 1,
      unchanged: 2,
    })
  })

  it.each([[null], ['text'], [{ data: [], total: 3 }]])('gives nothing for %j', (reply) => {
    expect(countBatch(reply)).toBeUndefined()
  })
})

it('counts survive the header', () => {
  const counts = { processed: 3, errors: 0 }
  expect(readCounts(writeCounts(counts))).toEqual(counts)
  expect(readCounts(undefined)).toBeUndefined()
})
