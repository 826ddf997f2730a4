import { addHistogram, durationClass } from './duration-histogram.js'

/** What was counted, by subject. */
export type Tallies = Map<string, { counts: Record<string, number>; ms: Record<string, number> }>

/** Subjects that are counted between two writes; far more than there are. */
const MAX_SUBJECTS = 10_000

/** @param ms a duration, where one was measured */
export function tallyOf(subject: string, counts: readonly string[], ms?: number): Tallies {
  const tally = {
    counts: Object.fromEntries(counts.map((name) => [name, 1])),
    ms: ms === undefined ? {} : { [durationClass(ms)]: 1 },
  }
  return new Map([[subject, tally]])
}

/** Adds newer tallies to older ones, which it modifies. */
export function addTallies(older: Tallies, newer: Tallies): Tallies {
  for (const [subject, tally] of newer) {
    const known = older.get(subject)
    if (known) {
      addHistogram(known.counts, tally.counts)
      addHistogram(known.ms, tally.ms)
    } else if (older.size < MAX_SUBJECTS) older.set(subject, tally)
  }
  return older
}
