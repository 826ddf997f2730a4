import { describe, expect, it } from '@jest/globals'
import { dayRange } from './day-range.js'

describe('days of a filter', () => {
  it('are whole days of the zone', () => {
    expect(dayRange('2026-11-22', '2026-11-22', 'Europe/Riga')).toEqual({
      from: '2026-11-21T22:00:00.000Z',
      to: '2026-11-22T22:00:00.000Z',
    })
  })

  it('are 23 hours long where the clocks go forward', () => {
    expect(dayRange('2026-03-29', '2026-03-29', 'Europe/Riga')).toEqual({
      from: '2026-03-28T22:00:00.000Z',
      to: '2026-03-29T21:00:00.000Z',
    })
  })

  it('are open where they are not chosen', () => {
    expect(dayRange(undefined, undefined, 'UTC')).toEqual({ from: undefined, to: undefined })
  })
})
