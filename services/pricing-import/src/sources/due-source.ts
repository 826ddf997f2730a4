import type { StoredSource } from '../price-lists/price-list-record.js'

/** A last run that lies further ahead than that was made before the clock was set back, and says nothing. */
const AHEAD_MS = 60_000

/** Is it time to fetch a source? Counted from the beginning of its last run, whatever came of it; one that never ran is due. */
export function isDue(
  { is_active, every_minutes, state }: Pick<StoredSource, 'is_active' | 'every_minutes' | 'state'>,
  now: number,
): boolean {
  const last = lastRunAt({ state })
  return is_active && (now - last >= every_minutes * 60_000 || last - now > AHEAD_MS)
}

/** Milliseconds since 1970; -Infinity when it never ran. */
export function lastRunAt({ state }: Pick<StoredSource, 'state'>): number {
  return state.last_run === null ? -Infinity : Date.parse(state.last_run.at)
}
