import { addHistogram, durationClass } from './duration-histogram.js'

/** What was counted of one subject. */
export interface CountedTally {
  subject: string
  counts: Record<string, number>
  /** durations by class, see `duration-histogram.ts` */
  ms: Record<string, number>
}

/** Subjects that are counted between two writes; far more than there are. */
const MAX_SUBJECTS = 10_000

/** Counts in memory, until they are taken to be stored. */
export class Tallies<Count extends string> {
  private pending = new Map<string, CountedTally>()

  /** @param ms a duration, where one was measured */
  count(subject: string, counts: readonly Count[], ms?: number): void {
    let tally = this.pending.get(subject)
    if (!tally) {
      if (this.pending.size >= MAX_SUBJECTS) return
      tally = { subject, counts: {}, ms: {} }
      this.pending.set(subject, tally)
    }
    for (const name of counts) tally.counts[name] = (tally.counts[name] ?? 0) + 1
    if (ms === undefined) return
    const at = durationClass(ms)
    tally.ms[at] = (tally.ms[at] ?? 0) + 1
  }

  /** What was counted since the last time. */
  take(): CountedTally[] {
    const taken = [...this.pending.values()]
    this.pending = new Map()
    return taken
  }

  /** Counts again what was taken and could not be stored. */
  addBack(tallies: readonly CountedTally[]): void {
    for (const tally of tallies) {
      const newer = this.pending.get(tally.subject)
      if (newer) {
        addHistogram(newer.counts, tally.counts)
        addHistogram(newer.ms, tally.ms)
      } else this.pending.set(tally.subject, tally)
    }
  }
}
