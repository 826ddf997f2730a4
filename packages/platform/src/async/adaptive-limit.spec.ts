import { describe, expect, it } from '@jest/globals'
import { AdaptiveLimit } from './adaptive-limit.js'

const open = (): AdaptiveLimit => new AdaptiveLimit({ initial: 40, min: 8, max: 100 })

describe('an adaptive limit', () => {
  it('is divided by the pressure, at most by two', () => {
    const limit = open()
    expect(limit.adjust(1.25, 40)).toBe(true)
    expect(limit.current).toBe(32)
    limit.adjust(10, 32)
    expect(limit.current).toBe(16)
  })

  it('starts from the concurrency that there was', () => {
    const limit = open()
    limit.adjust(2, 24)
    expect(limit.current).toBe(12)
  })

  it('does not fall below its minimum, and not because of less work than that', () => {
    const limit = open()
    expect(limit.adjust(2, 8)).toBe(false)
    expect(limit.current).toBe(40)
    for (let count = 0; count < 5; count += 1) limit.adjust(2, 40)
    expect(limit.current).toBe(8)
  })

  it('grows up to its maximum while it is used', () => {
    const limit = open()
    limit.adjust(0.5, 19)
    expect(limit.current).toBe(40)
    limit.adjust(0.5, 20)
    expect(limit.current).toBe(44)
    for (let count = 0; count < 20; count += 1) limit.adjust(1, limit.current)
    expect(limit.current).toBe(100)
  })
})
