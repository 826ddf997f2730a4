import { describe, expect, it } from '@jest/globals'
import { errorPolicy } from './error-policy.js'

describe('X-Error-Policy (erp.md#batch-policy)', () => {
  it.each([
    [undefined, 'reject_batch', 'reject_batch'],
    [undefined, 'reject_failed_rows', 'reject_failed_rows'],
    ['reject-failed-rows', 'reject_batch', 'reject_failed_rows'],
    ['reject-batch', 'reject_failed_rows', 'reject_batch'],
    [' Reject-Failed-Rows ', 'reject_batch', 'reject_failed_rows'],
  ] as const)('header %j over setting %s: %s', (header, setting, policy) =>
    expect(errorPolicy(header, setting)).toBe(policy),
  )

  it.each(['', 'reject_failed_rows', 'constructor', '__proto__', 'yes'])('%j is a violation', (header) => {
    expect(() => errorPolicy(header, 'reject_batch')).toThrow(expect.objectContaining({ code: 'CONTRACT_VIOLATION' }))
  })
})
