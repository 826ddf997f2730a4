import { describe, expect, it } from '@jest/globals'
import { samplePlaces } from './sample-places.js'

describe('parts of a version to compare with (admin.md#preview-changes)', () => {
  it('are of equal size, cover all places once, and begin all over the version', () => {
    const parts = samplePlaces(
      [
        { from: 1, to: 900_000 },
        { from: 2 ** 23, to: 2 ** 23 + 99_999 },
      ],
      100,
    )
    expect(parts).toHaveLength(100)
    const sorted = [...parts].sort((one, other) => one.from - other.from)
    expect([sorted[0], sorted[99]]).toMatchObject([{ from: 1, to: 10_000 }, { to: 2 ** 23 + 99_999 }])
    for (const [at, part] of sorted.slice(1, 90).entries()) expect(part.from).toBe((sorted[at]?.to ?? 0) + 1)
    const first = parts.slice(0, 10).map(({ from }) => Math.min(from, 1_000_000))
    expect(Math.max(...first) - Math.min(...first)).toBeGreaterThan(700_000)
  })

  it('are all there when their number is a multiple of the step', () => {
    const parts = samplePlaces([{ from: 1, to: 37 }], 37)
    expect(new Set(parts.map(({ from }) => from)).size).toBe(37)
  })
})
