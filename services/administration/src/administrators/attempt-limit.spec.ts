import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import type { SignInCounted } from '@partsbus/contracts/administration/commands'
import { AttemptLimit } from './attempt-limit.js'

const open = (sent: SignInCounted[] = []): AttemptLimit =>
  new AttemptLimit(async (attempt) => {
    sent.push(attempt)
  })

/** Seconds to wait, or undefined when the attempt may start. */
function wait(start: () => void): number | undefined {
  try {
    start()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error
    return (error.details as { retryAfter: number }).retryAfter
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

describe('failures from one address (admin.md#throttling)', () => {
  it('are 10 a minute, and the refusal says when the oldest leaves the minute', async () => {
    const limit = open()
    for (let at = 0; at < 10; at += 1) {
      expect(wait(() => limit.assertAddress('192.0.2.1', at * SECOND))).toBeUndefined()
      await limit.fail('192.0.2.1', null, at * SECOND)
    }
    expect(wait(() => limit.assertAddress('192.0.2.1', 10 * SECOND))).toBe(50)
    expect(wait(() => limit.assertAddress('192.0.2.2', 10 * SECOND))).toBeUndefined()
    expect(wait(() => limit.assertAddress('192.0.2.1', 60 * SECOND))).toBeUndefined()
  })

  it('count for the whole /64 of an IPv6 address', async () => {
    const limit = open()
    for (let at = 0; at < 10; at += 1) await limit.fail(`2001:db8:1:2::${at}`, null, 0)
    expect(wait(() => limit.assertAddress('2001:db8:1:2:ffff::1', 0))).toBe(60)
    expect(wait(() => limit.assertAddress('2001:db8:1:3::1', 0))).toBeUndefined()
  })
})

describe('failures with one name from one address', () => {
  it('wait 30 s after the fifth, doubling to 15 min', async () => {
    const limit = open()
    let now = 0
    const waits: number[] = []
    for (let failure = 1; failure <= 12; failure += 1) {
      expect(wait(() => limit.start('192.0.2.1', 'anna', false, now))).toBeUndefined()
      await limit.fail('192.0.2.1', 'anna', now)
      const seconds = wait(() => limit.start('192.0.2.1', 'anna', false, now)) ?? 0
      waits.push(seconds)
      now += Math.max(seconds, 10) * SECOND
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
  })

  it('do not affect another name or another address', async () => {
    const limit = open()
    for (let failure = 0; failure < 5; failure += 1) await limit.fail('192.0.2.1', 'anna', 0)
    expect(wait(() => limit.start('192.0.2.1', 'anna', false, 0))).toBe(30)
    expect(wait(() => limit.start('192.0.2.1', 'pavel', false, 0))).toBeUndefined()
    expect(wait(() => limit.start('192.0.2.2', 'anna', false, 0))).toBeUndefined()
  })

  it('are forgotten after a success', async () => {
    const limit = open()
    for (let failure = 0; failure < 4; failure += 1) await limit.fail('192.0.2.1', 'anna', 0)
    await limit.succeed('192.0.2.1', 'anna', 0)
    await limit.fail('192.0.2.1', 'anna', 0)
    expect(wait(() => limit.start('192.0.2.1', 'anna', false, 0))).toBeUndefined()
  })
})

describe('failures with one name from many addresses', () => {
  const failFrom = async (limit: AttemptLimit, addresses: number): Promise<void> => {
    for (let at = 0; at < addresses; at += 1) await limit.fail(`192.0.2.${at}`, 'anna', 0)
  }

  it('leave one attempt a second after 20 in an hour, and never lock the name', async () => {
    const limit = open()
    await failFrom(limit, 19)
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 0))).toBeUndefined()
    await limit.fail('192.0.2.19', 'anna', 0)
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 999))).toBe(1)
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 1_000))).toBeUndefined()
    expect(wait(() => limit.start('198.51.100.2', 'anna', false, 1_500))).toBe(1)
    expect(wait(() => limit.start('198.51.100.2', 'anna', false, 2_000))).toBeUndefined()
  })

  it('do not count where the name has signed in from before, but those from there do', async () => {
    const limit = open()
    await failFrom(limit, 25)
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 0))).toBe(1)
    expect(wait(() => limit.start('198.51.100.1', 'anna', true, 0))).toBeUndefined()
    for (let failure = 0; failure < 5; failure += 1) await limit.fail('198.51.100.1', 'anna', 0)
    expect(wait(() => limit.start('198.51.100.1', 'anna', true, 0))).toBe(30)
  })

  it('are recorded 20 times an hour, those with names that nobody has together (admin.md#audit)', () => {
    const limit = open()
    const recorded = (name: string | null, network: number, now: number): number =>
      Array.from({ length: 30 }, (_, at) => limit.shouldRecord(`10.0.${network}.${at}`, name, now)).filter((is) => is)
        .length
    expect(['anna', 'pavel', null, null].map((name, at) => recorded(name, at, 0))).toEqual([20, 20, 20, 0])
    expect(recorded('anna', 9, 60 * MINUTE)).toBe(20)
  })

  it('are forgotten after an hour', async () => {
    const limit = open()
    await failFrom(limit, 20)
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 60 * MINUTE))).toBeUndefined()
    expect(wait(() => limit.start('198.51.100.1', 'anna', false, 60 * MINUTE + 1))).toBeUndefined()
  })
})

describe('over several processes', () => {
  it('an outcome that one counted counts for the others', async () => {
    const sent: SignInCounted[] = []
    const [one, other] = [open(sent), open()]
    for (let failure = 0; failure < 5; failure += 1) await one.fail('192.0.2.1', 'anna', 0)
    for (const attempt of sent) other.receive(attempt, 0)
    expect(wait(() => other.start('192.0.2.1', 'anna', false, 0))).toBe(30)
  })

  it('an outcome of its own is not counted twice', async () => {
    const sent: SignInCounted[] = []
    const limit = open(sent)
    for (let failure = 0; failure < 4; failure += 1) await limit.fail('192.0.2.1', 'anna', 0)
    for (const attempt of sent) limit.receive(attempt, 0)
    expect(wait(() => limit.start('192.0.2.1', 'anna', false, 0))).toBeUndefined()
  })

  it('a refusal is recorded once a minute for each address', () => {
    const sent: SignInCounted[] = []
    const [one, other] = [open(sent), open()]
    expect(one.shouldRecord('192.0.2.1', null, 0)).toBe(true)
    for (const attempt of sent) other.receive(attempt, 0)
    expect([one.shouldRecord('192.0.2.1', null, 59_999), other.shouldRecord('192.0.2.1', null, 59_999)]).toEqual([
      false,
      false,
    ])
    expect([other.shouldRecord('192.0.2.2', null, 0), one.shouldRecord('192.0.2.1', null, 60_000)]).toEqual([
      true,
      true,
    ])
  })
})

it('many addresses take a bounded amount of memory', async () => {
  const limit = open()
  for (let failure = 0; failure < 10; failure += 1) await limit.fail('192.0.2.1', null, 0)
  for (let at = 0; at < 10_000; at += 1) await limit.fail(`10.0.${Math.floor(at / 250)}.${at % 250}`, null, 1)
  expect(wait(() => limit.assertAddress('192.0.2.1', 2))).toBeUndefined()
})
