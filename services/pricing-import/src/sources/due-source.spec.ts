import { describe, expect, it } from '@jest/globals'
import { isDue } from './due-source.js'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const minutes = (count: number) => count * 60_000

function source(ranAgo: number | null, is_active = true, every_minutes = 60, run_began_at: string | null = null) {
  const last_run =
    ranAgo === null
      ? null
      : { at: new Date(NOW - ranAgo).toISOString(), outcome: 'failed' as const, message: '', task_id: null }
  return { is_active, every_minutes, state: { last_run, run_began_at } }
}

describe('a source is due', () => {
  it.each<[string, ReturnType<typeof source>, boolean]>([
    ['when it never ran', source(null), true],
    ['not when it is switched off', source(null, false), false],
    ['not before its interval is over', source(minutes(60) - 1), false],
    ['when its interval is over', source(minutes(60)), true],
    ['once after the clock jumped ahead, or nothing ran for days', source(minutes(100_000)), true],
    ['not for a clock that is a little behind the one that wrote', source(-1_000), false],
    ['when the clock was set back behind its last run', source(-minutes(120)), true],
    ['by its own interval', source(minutes(5), true, 5), true],
    ['when its last run began and recorded no outcome', source(minutes(1), true, 60, '2026-11-21T11:59:59Z'), true],
    ['not when it was switched off during such a run', source(null, false, 60, '2026-11-21T11:59:59Z'), false],
  ])('%s', (_when, one, due) => {
    expect(isDue(one, NOW)).toBe(due)
  })
})
