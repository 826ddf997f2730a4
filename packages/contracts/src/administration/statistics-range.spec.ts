import { describe, expect, it } from '@jest/globals'
import { limitPoints, statisticsPeriodOf } from './statistics-range.js'

const now = Date.parse('2026-11-21T10:15:30Z')
const tooMany = { details: { errors: { from: ['The range must not have more than 1000 points.'] } } }

describe('the range of statistics (admin.md#statistics)', () => {
  it.each([
    [{}, '2026-11-20T10:00:00.000Z', '2026-11-21T10:15:30.000Z', 'hour'],
    [{ step: 'day' as const }, '2026-11-07T00:00:00.000Z', '2026-11-21T10:15:30.000Z', 'day'],
    [
      { from: '2026-11-01', to: '2026-11-02T12:00:00+02:00' },
      '2026-11-01T00:00:00.000Z',
      '2026-11-02T10:00:00.000Z',
      'hour',
    ],
    [{ from: '2026-11-21T09:59:59Z' }, '2026-11-21T09:00:00.000Z', '2026-11-21T10:15:30.000Z', 'hour'],
  ])('%j', (range, from, to, step) => expect(statisticsPeriodOf(range, 1, now)).toEqual({ from, to, step }))

  it('begins before it ends', () => {
    const range = { from: '2026-11-22', to: '2026-11-21' }
    expect(() => statisticsPeriodOf(range, 1, now)).toThrow(
      expect.objectContaining({ details: { errors: { from: ['The from must be before the to.'] } } }),
    )
  })

  it('has at most 1,000 points', () => {
    const hours = (count: number) => ({ from: new Date(now - (now % 3_600_000) - count * 3_600_000).toISOString() })
    expect(statisticsPeriodOf(hours(999), 1, now).step).toBe('hour')
    expect(() => statisticsPeriodOf(hours(1_000), 1, now)).toThrow(expect.objectContaining(tooMany))
    expect(() => statisticsPeriodOf(hours(500), 2, now)).toThrow(expect.objectContaining(tooMany))
    expect(limitPoints(Array(1_000).fill(0))).toHaveLength(1_000)
    expect(() => limitPoints(Array(1_001).fill(0))).toThrow(expect.objectContaining(tooMany))
  })
})
