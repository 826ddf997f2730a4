import { describe, expect, it } from '@jest/globals'
import { FailureLimit } from './failure-limit.js'

const fail = (limit: FailureLimit, times: number, address: string, now: number): void => {
  for (let count = 0; count < times; count += 1) limit.record(address, now)
}

describe('failed authentications', () => {
  it('are limited by address, and the refusal says when the minute ends', () => {
    const limit = new FailureLimit()
    fail(limit, 300, '192.0.2.1', 0)
    expect(() => limit.record('192.0.2.1', 10_000)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfter: 50 } }),
    )
    expect(() => limit.record('192.0.2.2', 10_000)).not.toThrow()
  })

  it('are forgotten after a minute', () => {
    const limit = new FailureLimit()
    fail(limit, 300, '192.0.2.1', 0)
    expect(() => limit.record('192.0.2.1', 60_000)).not.toThrow()
  })

  it('of many addresses take a bounded amount of memory', () => {
    const limit = new FailureLimit()
    fail(limit, 300, 'first', 0)
    for (let at = 0; at < 10_000; at += 1) limit.record(`address-${at}`, 1)
    expect(() => limit.record('first', 2)).not.toThrow()
  })
})
