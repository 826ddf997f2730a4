import type { Db } from 'mongodb'

/**
 * The time by the database's clock, which all replicas share. From `hello`: FerretDB does not know `$$NOW` everywhere.
 */
export async function databaseNow(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 })
  return localTime instanceof Date ? localTime : new Date()
}

const MEASURE_EVERY_MS = 60_000
/** The wall clock and the monotonic clock drift apart when one is set, or when the machine was suspended. */
const MAX_DRIFT_MS = 1_000

/**
 * The database's clock for inserts, which cannot use `$$NOW`: measured once a minute, continued by the monotonic clock.
 */
export class DatabaseClock {
  private readonly db: Db
  private measured: { time: number; monotonic: number; wall: number } | undefined

  constructor(db: Db) {
    this.db = db
  }

  async now(): Promise<Date> {
    const elapsed = performance.now() - (this.measured?.monotonic ?? -Infinity)
    const drift = Math.abs(Date.now() - (this.measured?.wall ?? 0) - elapsed)
    if (this.measured && elapsed < MEASURE_EVERY_MS && drift < MAX_DRIFT_MS) {
      return new Date(this.measured.time + elapsed)
    }
    const time = await databaseNow(this.db)
    this.measured = { time: time.getTime(), monotonic: performance.now(), wall: Date.now() }
    return time
  }
}
