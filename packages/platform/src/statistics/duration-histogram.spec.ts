import { describe, expect, it } from '@jest/globals'
import { addHistogram, durationClass, quantile } from './duration-histogram.js'

const histogram = (durations: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const ms of durations) addHistogram(counts, { [durationClass(ms)]: 1 })
  return counts
}

describe('quantiles of durations (admin.md#statistics)', () => {
  it('are null when nothing was measured', () => expect(quantile({}, 0.95)).toBeNull())

  it.each([
    ['of equal durations', Array(100).fill(240), 0.95, [200, 300]],
    ['of one slow call in a hundred', [...Array(99).fill(4), 4_000], 0.95, [3, 5]],
    ['of ten slow calls in a hundred', [...Array(90).fill(4), ...Array(10).fill(4_000)], 0.95, [3_000, 5_000]],
    ['in the middle', [1, 1, 400, 9_000, 9_000], 0.5, [300, 500]],
    ['beyond the last class', [500_000], 0.95, [60_000, 60_000]],
    ['of instant calls', [0, 0, 0.2], 0.5, [0, 1]],
  ])('%s', (_name, durations, share, [low = 0, high = 0]) => {
    const found = quantile(histogram(durations), share)
    expect(found).toBeGreaterThanOrEqual(low)
    expect(found).toBeLessThanOrEqual(high)
  })

  it('a duration belongs to the class of the next bound', () => {
    expect([0, 1, 1.1, 2, 60_000, 60_001].map(durationClass)).toEqual([0, 0, 1, 1, 25, 26])
  })
})
