import type { Db } from 'mongodb'
import { WriteBehind } from '../async/write-behind.js'
import type { Log } from '../process/log.js'

interface LatestTimeDocument {
  /** what it is the time of */
  _id: string
  at: Date
}

const FLUSH_EVERY_MS = 10_000
export const LATEST_TIMES = 'latest_times'

export async function readLatestTime(db: Db, name: string): Promise<Date | null> {
  const stored = await db.collection<LatestTimeDocument>(LATEST_TIMES).findOne({ _id: name })
  return stored?.at ?? null
}

/** Raises a stored time. */
export async function writeLatestTime(db: Db, name: string, at: Date): Promise<void> {
  await db.collection<LatestTimeDocument>(LATEST_TIMES).updateOne({ _id: name }, { $max: { at } }, { upsert: true })
}

/**
 * When something happened last, in any process: noted in memory, and written at most every 10 s, so that noting it
 * makes no call.
 */
export class LatestTime {
  private readonly db: Db
  private readonly name: string
  private readonly writes: WriteBehind<number>
  private noted = 0

  constructor(db: Db, name: string, log: Log) {
    this.db = db
    this.name = name
    this.writes = new WriteBehind({
      everyMs: FLUSH_EVERY_MS,
      merge: Math.max,
      write: (at) => writeLatestTime(db, name, new Date(at)),
      failed: (error) => log.warn({ err: error, name }, 'latest time not written, will retry'),
    })
  }

  note(): void {
    this.noted = Date.now()
    this.writes.collect(this.noted)
  }

  async read(): Promise<Date | null> {
    const stored = await readLatestTime(this.db, this.name)
    const latest = Math.max(stored?.getTime() ?? 0, this.noted)
    return latest === 0 ? null : new Date(latest)
  }

  stop(): Promise<void> {
    return this.writes.stop()
  }
}
