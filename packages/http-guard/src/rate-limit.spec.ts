import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import { type CountReport, RateLimit } from './rate-limit.js'

const open = (reports: CountReport[] = []): RateLimit => new RateLimit((report) => reports.push(report))

/** Seconds to wait, or undefined when the request was admitted. */
function retryAfter(limit: RateLimit, token: string, allowed: number | null, now: number): number | undefined {
  try {
    limit.count(token, allowed, now)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error
    return (error.details as { retryAfter: number }).retryAfter
  }
}

/** Requests admitted out of so many that arrive evenly between two times. */
function admitted(limit: RateLimit, allowed: number, requests: number, from: number, to: number): number {
  let count = 0
  for (let at = 0; at < requests; at += 1) {
    if (retryAfter(limit, 'a', allowed, from + ((to - from) * at) / requests) === undefined) count += 1
  }
  return count
}

describe('the rate limit of one gateway (rules.md#rate-limit)', () => {
  it('is off by default', () => {
    const limit = open()
    for (let count = 0; count < 10_000; count += 1) limit.count('a', null, 0)
  })

  it('admits the limit within a minute and returns the time until the next request is admitted', () => {
    const limit = open()
    expect(retryAfter(limit, 'a', 2, 0)).toBeUndefined()
    expect(retryAfter(limit, 'a', 2, 10_000)).toBeUndefined()
    expect(retryAfter(limit, 'a', 2, 10_500)).toBe(51)
    expect(retryAfter(limit, 'a', 2, 59_999)).toBe(2)
    expect(retryAfter(limit, 'a', 2, 61_000)).toBeUndefined()
    expect(retryAfter(limit, 'a', 2, 61_100)).toBe(10)
  })

  it('slides: no minute has more requests than the limit and a tenth', () => {
    const limit = open()
    // all of the limit at the end of one minute, as much as possible at the beginning of the next
    const last = admitted(limit, 600, 2_000, 50_000, 60_000)
    const next = admitted(limit, 600, 2_000, 60_000, 70_000)
    expect(last).toBe(600)
    expect(next).toBeLessThanOrEqual(60)
    expect(admitted(limit, 600, 60_000, 70_000, 130_000)).toBeGreaterThan(540)
  })

  it('starts at zero for a re-issued token', () => {
    const limit = open()
    expect(retryAfter(limit, 'a', 1, 0)).toBeUndefined()
    expect(retryAfter(limit, 'b', 1, 1)).toBeUndefined()
    expect(retryAfter(limit, 'b', 1, 2)).toBeDefined()
  })

  it('follows a changed setting at once', () => {
    const limit = open()
    expect(retryAfter(limit, 'a', 1, 0)).toBeUndefined()
    expect(retryAfter(limit, 'a', 2, 1)).toBeUndefined()
    expect(retryAfter(limit, 'a', 1, 2)).toBeDefined()
  })
})

describe('the counts of other gateways', () => {
  it('count against the limit', () => {
    const limit = open()
    expect(retryAfter(limit, 'a', 5, 100_000)).toBeUndefined()
    limit.receive({ gateway: 'other', token: 'a', counts: [3] }, 100_000)
    expect(retryAfter(limit, 'a', 5, 100_000)).toBeUndefined()
    expect(retryAfter(limit, 'a', 5, 100_000)).toBeDefined()
  })

  it('age, and are replaced by the next report', () => {
    const limit = open()
    limit.count('a', 10, 100_000)
    limit.receive({ gateway: 'other', token: 'a', counts: [0, 4, 4] }, 100_000)
    limit.receive({ gateway: 'other', token: 'a', counts: [1, 0, 4, 4] }, 101_000)
    expect(retryAfter(limit, 'a', 10, 101_000)).toBe(58)
    expect(retryAfter(limit, 'a', 10, 165_000)).toBeUndefined()
  })

  it('of another token do not count', () => {
    const limit = open()
    limit.count('a', 3, 0)
    limit.receive({ gateway: 'other', token: 'b', counts: [100] }, 0)
    expect(retryAfter(limit, 'a', 3, 0)).toBeUndefined()
  })
})
