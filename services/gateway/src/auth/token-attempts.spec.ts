import { describe, expect, it } from '@jest/globals'
import type { AttemptCounted } from '@partsbus/contracts/gateway/commands'
import { TokenAttempts } from './token-attempts.js'

const open = (sent: AttemptCounted[] = []): TokenAttempts =>
  new TokenAttempts(async (attempt) => {
    sent.push(attempt)
  })
const refusal = (seconds: number) => expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfter: seconds } })
const MINUTE_MS = 60_000

describe('wrong bearer tokens from one address (admin.md#throttling)', () => {
  it('are 10 a minute, and the refusal says when the oldest leaves the minute', async () => {
    const attempts = open()
    for (let at = 0; at < 10; at += 1) {
      expect(() => attempts.assertFew('192.0.2.1', at * 1_000)).not.toThrow()
      await attempts.fail('192.0.2.1', at * 1_000)
    }
    expect(() => attempts.assertFew('192.0.2.1', 10_000)).toThrow(refusal(50))
    expect(() => attempts.assertFew('192.0.2.2', 10_000)).not.toThrow()
    expect(() => attempts.assertFew('192.0.2.1', MINUTE_MS)).not.toThrow()
  })

  it('count at the other gateways, once each', async () => {
    const sent: AttemptCounted[] = []
    const [one, other] = [open(sent), open()]
    for (let at = 0; at < 10; at += 1) await one.fail('2001:db8:1:2::1', 0)
    for (const attempt of sent) {
      one.receive(attempt, 1_000)
      other.receive(attempt, 1_000)
    }
    expect(() => one.assertFew('2001:db8:1:2::2', MINUTE_MS)).not.toThrow()
    expect(() => other.assertFew('2001:db8:1:2::2', MINUTE_MS)).toThrow(refusal(1))
  })

  it('are not the sign-ins that gateways of version 0.1 report', () => {
    const attempts = open()
    for (let at = 0; at < 10; at += 1)
      attempts.receive({ gateway: 'old', address: '192.0.2.1', name: 'anna', outcome: 'failed' }, 0)
    expect(() => attempts.assertFew('192.0.2.1', 0)).not.toThrow()
  })
})
