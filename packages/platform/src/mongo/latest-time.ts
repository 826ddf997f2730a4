import type { Db } from 'mongodb'
import type { Log } from '../process/log.js'

interface LatestTimeDocument {
  /** what it is the time of */
  _id: string
  at: Date
}

const FLUSH_EVERY_MS = 10_000
const COLLECTION = 'latest_times'

/** In the database of the administration: the moment of the newest complete backup, which `partsbus backup` writes. */
export const LATEST_BACKUP = 'backup'

export async function readLatestTime(db: Db, name: string): Promise<Date | null> {
  const stored = await db.collection<LatestTimeDocument>(COLLECTION).findOne({ _id: name })
  return stored?.at ?? null
}

/** Raises a stored time. */
export async function writeLatestTime(db: Db, name: string, at: Date): Promise<void> {
  await db.collection<LatestTimeDocument>(COLLECTION).updateOne({ _id: name }, { $max: { at } }, { upsert: true })
}

/**
 * When something happened last, in any process: noted in memory, and written at most every 10 s, so that noting it
 * makes no call.
 */
export class LatestTime {
  private readonly db: Db
  private readonly name: string
  private readonly log: Log
  private noted: number | undefined
  private written = 0
  private timer: NodeJS.Timeout | undefined

  constructor(db: Db, name: string, log: Log) {
    this.db = db
    this.name = name
    this.log = log
  }

  note(): void {
    this.noted = Date.now()
  }

  async read(): Promise<Date | null> {
    const stored = await readLatestTime(this.db, this.name)
    const latest = Math.max(stored?.getTime() ?? 0, this.noted ?? 0)
    return latest === 0 ? null : new Date(latest)
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.flush()
  }

  private async flush(): Promise<void> {
    const { noted } = this
    if (noted === undefined || noted === this.written) return
    try {
      await writeLatestTime(this.db, this.name, new Date(noted))
      this.written = noted
    } catch (error) {
      this.log.warn({ err: error, name: this.name }, 'latest time not written, will retry')
    }
  }
}
