import type { Collection, Db } from 'mongodb'
import type { Log } from '../process/log.js'

interface LatestTimeDocument {
  /** what it is the time of */
  _id: string
  at: Date
}

const FLUSH_EVERY_MS = 10_000

/**
 * When something happened last, in any process: noted in memory, and written at most every 10 s, so that noting it
 * makes no call.
 */
export class LatestTime {
  private readonly times: Collection<LatestTimeDocument>
  private readonly name: string
  private readonly log: Log
  private noted: number | undefined
  private written = 0
  private timer: NodeJS.Timeout | undefined

  constructor(db: Db, name: string, log: Log) {
    this.times = db.collection('latest_times')
    this.name = name
    this.log = log
  }

  note(): void {
    this.noted = Date.now()
  }

  async read(): Promise<Date | null> {
    const stored = await this.times.findOne({ _id: this.name })
    const latest = Math.max(stored?.at.getTime() ?? 0, this.noted ?? 0)
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
      await this.times.updateOne({ _id: this.name }, { $max: { at: new Date(noted) } }, { upsert: true })
      this.written = noted
    } catch (error) {
      this.log.warn({ err: error, name: this.name }, 'latest time not written, will retry')
    }
  }
}
