import { describe, expect, it } from '@jest/globals'
import { lastDays, sumByDay } from './import-days.js'

const hour = (at: string, completed: number, failed: number, rows: number) => ({
  at,
  completed,
  failed,
  superseded: 0,
  rows,
  imported: rows,
  skipped: 0,
  seconds: 1,
})

describe('the days of the imports page', () => {
  it("end with today in the person's time zone", () => {
    const now = new Date('2026-03-01T22:30:00Z')
    expect(lastDays(3, now, 'UTC')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(lastDays(3, now, 'Asia/Tokyo')).toEqual(['2026-02-28', '2026-03-01', '2026-03-02'])
  })

  it('have every day once, also when the clocks change', () => {
    expect(new Set(lastDays(14, new Date('2026-03-30T10:00:00Z'), 'Europe/Riga')).size).toBe(14)
  })

  it('have the sums of their hours, and zeros without any', () => {
    const hours = [
      hour('2026-02-28T21:00:00Z', 1, 0, 10),
      hour('2026-02-28T22:00:00Z', 2, 1, 20),
      hour('2026-03-01T21:00:00Z', 4, 0, 40),
      hour('2026-03-01T22:00:00Z', 8, 0, 80),
    ]
    expect(sumByDay(['2026-02-27', '2026-03-01'], hours, 'Europe/Riga')).toEqual([
      { day: '2026-02-27', completed: 0, failed: 0, rows: 0 },
      { day: '2026-03-01', completed: 6, failed: 1, rows: 60 },
    ])
  })
})
