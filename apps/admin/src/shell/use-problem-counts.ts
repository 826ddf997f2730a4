import { useOverview } from '../calls/use-overview.js'
import { type Entry, PAGES_OF_PROBLEM } from './navigation-entries.js'

/** Elsewhere than on the overview, ms. */
const EVERY_MS = 60_000

export function useProblemCounts(): Map<Entry['page'], number> {
  const { data } = useOverview(EVERY_MS)
  const counts = new Map<Entry['page'], number>()
  for (const { code } of data?.problems ?? []) {
    for (const page of PAGES_OF_PROBLEM[code] ?? []) counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  return counts
}
