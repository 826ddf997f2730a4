import type { Overview } from '../overview/overview-answer.js'
import { type Entry, PAGE_OF_PROBLEM } from './navigation-entries.js'
import { useCall } from './use-call.js'

/** Elsewhere than on the overview, ms. */
const EVERY_MS = 60_000

export function useProblemCounts(): Map<Entry['page'], number> {
  const { data } = useCall<Overview>('GET /overview', { everyMs: EVERY_MS })
  const counts = new Map<Entry['page'], number>()
  for (const { code } of data?.problems ?? []) {
    const page = PAGE_OF_PROBLEM[code]
    if (page) counts.set(page, (counts.get(page) ?? 0) + 1)
  }
  return counts
}
