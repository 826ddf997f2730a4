import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { RateLimit } from './rate-limit.js'

function refusal(work: () => void): { code: string; details: unknown } | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof AppError ? { code: error.code, details: error.details } : undefined
  }
}

describe('the rate limit (rules.md#rate-limit)', () => {
  it('is off by default', () => {
    const limit = new RateLimit()
    for (let count = 0; count < 10_000; count += 1) limit.take('a', null, 0)
  })

  it('lets the stated number a minute in and says when the next minute begins', () => {
    const limit = new RateLimit()
    limit.take('a', 2, 0)
    limit.take('a', 2, 10_000)
    expect(refusal(() => limit.take('a', 2, 10_500))).toEqual({ code: 'RATE_LIMITED', details: { retryAfter: 50 } })
    expect(refusal(() => limit.take('a', 2, 59_999))).toEqual({ code: 'RATE_LIMITED', details: { retryAfter: 1 } })
    expect(refusal(() => limit.take('a', 2, 60_000))).toBeUndefined()
  })

  it('counts a token that was issued anew from zero', () => {
    const limit = new RateLimit()
    limit.take('a', 1, 0)
    expect(refusal(() => limit.take('b', 1, 1))).toBeUndefined()
    expect(refusal(() => limit.take('b', 1, 2))?.code).toBe('RATE_LIMITED')
  })

  it('follows a changed setting at once', () => {
    const limit = new RateLimit()
    limit.take('a', 1, 0)
    expect(refusal(() => limit.take('a', 2, 1))).toBeUndefined()
    expect(refusal(() => limit.take('a', 1, 2))?.code).toBe('RATE_LIMITED')
  })
})
