import { describe, expect, it } from '@jest/globals'
import { CircuitBreaker } from './circuit-breaker.js'

function broken() {
  const clock = { now: 1_000 }
  const breaker = new CircuitBreaker(() => clock.now)
  for (let failure = 0; failure < 5; failure += 1) {
    expect(breaker.tryEnter()).toBe(true)
    breaker.fail()
  }
  return { breaker, clock }
}

describe('a circuit breaker (rules.md#suppliers-breaker)', () => {
  it('opens after five failures in a row, for 30 s', () => {
    const { breaker, clock } = broken()
    expect(breaker.tryEnter()).toBe(false)
    clock.now += 29_999
    expect(breaker.tryEnter()).toBe(false)
    clock.now += 1
    expect(breaker.tryEnter()).toBe(true)
  })

  it('counts failures from zero after a success', () => {
    const breaker = new CircuitBreaker(() => 0)
    for (let round = 0; round < 20; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) breaker.fail()
      breaker.succeed()
      expect(breaker.tryEnter()).toBe(true)
    }
  })

  it('lets one probe through, and closes when it succeeds', () => {
    const { breaker, clock } = broken()
    clock.now += 30_000
    expect([breaker.tryEnter(), breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, false, false])
    breaker.succeed()
    expect([breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, true])
  })

  it('stays open for another 30 s when the probe fails', () => {
    const { breaker, clock } = broken()
    clock.now += 30_000
    breaker.tryEnter()
    breaker.fail()
    clock.now += 29_999
    expect(breaker.tryEnter()).toBe(false)
    clock.now += 1
    expect(breaker.tryEnter()).toBe(true)
  })

  it('lets the next query probe after a cancelled probe', () => {
    const { breaker, clock } = broken()
    clock.now += 30_000
    breaker.tryEnter()
    breaker.cancel()
    expect(breaker.tryEnter()).toBe(true)
  })
})
