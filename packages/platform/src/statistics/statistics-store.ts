import type { Collection, Db } from 'mongodb'
import { type Repetition, repeat } from '../async/repeat.js'
import { WriteBehind } from '../async/write-behind.js'
import { DatabaseClock } from '../mongo/clock.js'
import { collectDuplicates, retryConflicts } from '../mongo/errors.js'
import { ensureIndexes } from '../mongo/indexes.js'
import type { Log } from '../process/log.js'
import { addHistogram, type Histogram } from './duration-histogram.js'
import { addTallies, type Tallies, tallyOf } from './tallies.js'

/** The counts of one subject in five minutes, of all processes. */
interface StatisticsDocument {
  /** `<subject> <begin>` */
  _id: string
  /** what is counted separately */
  subject: string
  at: Date
  counts: Record<string, number>
  /** durations by class, see `duration-histogram.ts` */
  ms: Record<string, number>
}

/** Counts of one subject. */
export interface Tally<Count extends string> {
  subject: string
  at: Date
  counts: Partial<Record<Count, number>>
  ms: Histogram
}

const SLOT_MS = 5 * 60_000
const FLUSH_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 3_600_000
const KEPT_MS = 14 * 86_400_000
/** Longest time of a query that an administrator waits for. */
const READ_TIMEOUT_MS = 5_000

/**
 * Counts in memory, added to one small document for each subject and five minutes every 10 s, and deleted after 14 days
 * (admin.md#statistics). Counting makes no call. Counts are assigned to the five minutes in which they are written, by
 * the database's clock; those of a process that is killed are lost.
 */
export class StatisticsStore<Count extends string> {
  private readonly documents: Collection<StatisticsDocument>
  private readonly clock: DatabaseClock
  private readonly log: Log
  private readonly writes: WriteBehind<Tallies>
  private sweep: Repetition | undefined

  constructor(db: Db, collection: string, log: Log) {
    this.documents = db.collection(collection)
    this.clock = new DatabaseClock(db)
    this.log = log
    this.writes = new WriteBehind({
      everyMs: FLUSH_EVERY_MS,
      merge: addTallies,
      write: (tallies) => this.add(tallies),
      failed: (error) => this.logFailure(error),
    })
  }

  /** Waits until the database can be reached. */
  async ensureIndexes(): Promise<void> {
    await ensureIndexes(this.documents, [
      { name: 'at', key: { at: 1 } },
      { name: 'subject_at', key: { subject: 1, at: 1 } },
    ])
  }

  /** @param ms a duration, where one was measured */
  count(subject: string, counts: readonly Count[], ms?: number): void {
    this.writes.collect(tallyOf(subject, counts, ms))
  }

  start(): void {
    this.sweep = repeat(() => this.deleteOld(), {
      everyMs: SWEEP_EVERY_MS,
      firstMs: FLUSH_EVERY_MS,
      failed: (error) => {
        this.logFailure(error)
        return FLUSH_EVERY_MS
      },
    })
  }

  async stop(): Promise<void> {
    void this.sweep?.stop()
    await this.writes.stop()
  }

  /** Writes what was counted since the last time. What cannot be written is counted again at the next one. */
  flush(): Promise<void> {
    return this.writes.flush()
  }

  /** The counts of one subject or of all, from `from` until before `to`, by time. */
  async read({ from, to, subject }: { from: Date; to: Date; subject?: string | undefined }): Promise<Tally<Count>[]> {
    return this.documents
      .find({ ...(subject !== undefined && { subject }), at: { $gte: from, $lt: to } }, { maxTimeMS: READ_TIMEOUT_MS })
      .sort({ at: 1 })
      .map(({ subject, at, counts, ms }): Tally<Count> => ({
        subject,
        at,
        counts: counts as Tally<Count>['counts'],
        ms: ms ?? {},
      }))
      .toArray()
  }

  /** The counts of the five minutes that have begun less than `ms` ago. */
  async readLatest(ms: number): Promise<Tally<Count>[]> {
    const now = (await this.clock.now()).getTime()
    return this.read({ from: new Date(now - ms), to: new Date(now + SLOT_MS) })
  }

  async deleteOld(): Promise<void> {
    const before = new Date((await this.clock.now()).getTime() - KEPT_MS)
    await this.documents.deleteMany({ at: { $lt: before } })
  }

  /** Adds what was counted, in this process or in another one. */
  async add(tallies: Tallies): Promise<void> {
    if (tallies.size === 0) return
    const now = (await this.clock.now()).getTime()
    const at = new Date(now - (now % SLOT_MS))
    const operations = [...tallies].map(([subject, tally]) => ({
      filter: { _id: `${subject} ${at.toISOString()}` },
      update: { $inc: increments(tally), $setOnInsert: { subject, at } },
    }))
    const write = (some: typeof operations, upsert: boolean): Promise<unknown> =>
      this.documents.bulkWrite(
        some.map((operation) => ({ updateOne: { ...operation, upsert } })),
        { ordered: false },
      )
    // a duplicate: another process inserted the document at the same moment
    const duplicates = await retryConflicts(() => collectDuplicates(() => write(operations, true)))
    const refused = duplicates.flatMap(({ position }) => operations[position] ?? [])
    if (refused.length > 0) await retryConflicts(() => write(refused, false))
  }

  private logFailure(error: unknown): void {
    this.log.warn({ err: error }, 'statistics not written, will retry')
  }
}

function increments({ counts, ms }: { counts: Record<string, number>; ms: Record<string, number> }) {
  return Object.fromEntries([
    ...Object.entries(counts).map(([name, count]) => [`counts.${name}`, count] as const),
    ...Object.entries(ms).map(([at, count]) => [`ms.${at}`, count] as const),
  ])
}

/** Adds up tallies by step and subject, in the order of time. */
export function sumTallies<Count extends string>(tallies: readonly Tally<Count>[], stepMs: number): Tally<Count>[] {
  const sums = new Map<
    string,
    { subject: string; at: Date; counts: Record<string, number>; ms: Record<string, number> }
  >()
  for (const { subject, at, counts, ms } of tallies) {
    const begin = at.getTime() - (at.getTime() % stepMs)
    const key = `${begin} ${subject}`
    const sum = sums.get(key) ?? { subject, at: new Date(begin), counts: {}, ms: {} }
    sums.set(key, sum)
    addHistogram(sum.counts, counts as Record<string, number>)
    addHistogram(sum.ms, ms)
  }
  return [...sums.values()] as Tally<Count>[]
}
