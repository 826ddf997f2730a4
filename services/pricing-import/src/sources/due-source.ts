import type { StoredSource } from '../price-lists/price-list-record.js'

/** A last run further ahead of the clock than this was recorded before the clock was set back and is ignored. */
const MAX_AHEAD_MS = 60_000

type Schedule = Pick<StoredSource, 'is_active' | 'every_minutes' | 'state'>

/**
 * A source is due when its interval has passed since the start of its last run, whatever the outcome, and when it never
 * ran. A run without an outcome makes it due too: the lease then shows whether that run is alive or its process died.
 */
export function isDue({ is_active, every_minutes, state }: Schedule, now: number): boolean {
  if (!is_active) return false
  if (state.run_began_at) return true
  const last = lastRunAt({ state })
  return now - last >= every_minutes * 60_000 || last - now > MAX_AHEAD_MS
}

/** When an active source is due, or `now` when it is due already; in ms since 1970. */
export function nextRunAt(schedule: Schedule, now: number): number {
  return isDue(schedule, now) ? now : lastRunAt(schedule) + schedule.every_minutes * 60_000
}

/** Milliseconds since 1970; -Infinity when the source never ran. */
export function lastRunAt({ state }: Pick<StoredSource, 'state'>): number {
  return state.last_run === null ? -Infinity : Date.parse(state.last_run.at)
}
