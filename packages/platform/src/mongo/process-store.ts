import { randomUUID } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { databaseNow } from './clock.js'
import { withTimeLimit } from './with-time-limit.js'

/** A process renews its entry this often, in ms. */
export const RENEW_MS = 2_000
/** An entry that was not renewed for this long, in ms, belongs to a process that has ended. */
const LIFETIME_MS = 10_000
/** Entries of processes that ended without removing them are deleted after this time, in ms. */
const FORGET_MS = 60_000

/** Whether a process still writes, for a backup. */
export interface ProcessReport {
  /** what it had begun before this time has ended, and it begins nothing that writes; null: not yet */
  quiet_at: Date | null
  /** what it works on */
  busy: string[]
  /** how often it was allowed to write again */
  resumed: number
}

/** A process of an earlier release renews `seen_at` only. */
export interface ProcessDocument extends Partial<ProcessReport> {
  _id: string
  seen_at: Date
}

/** The running processes that use a database, by its clock. */
export class ProcessStore {
  readonly id: string
  /** written with each renewal */
  report: { read(): ProcessReport } | undefined
  private hasForgotten = false
  private readonly processes: Collection<ProcessDocument>
  private readonly db: Db
  private readonly lifetimeMs: number

  /** @param options.id of the process whose entry is renewed; default: a new one, of this process */
  constructor(db: Db, collection: string, options: { id?: string; lifetimeMs?: number } = {}) {
    this.db = db
    this.id = options.id ?? randomUUID()
    this.lifetimeMs = options.lifetimeMs ?? LIFETIME_MS
    this.processes = db.collection<ProcessDocument>(collection)
  }

  /** Writes the entry of this process, and once deletes those of processes that ended long ago. */
  async renew(): Promise<void> {
    const update = { $currentDate: { seen_at: true as const }, ...(this.report && { $set: this.report.read() }) }
    await withTimeLimit(RENEW_MS, ({ maxTimeMS }) =>
      this.processes.updateOne({ _id: this.id }, update, { upsert: true, maxTimeMS }),
    )
    if (this.hasForgotten) return
    this.hasForgotten = true
    const forgotten = { seen_at: { $lt: await this.before(FORGET_MS) } }
    await withTimeLimit(RENEW_MS, ({ maxTimeMS }) => this.processes.deleteMany(forgotten, { maxTimeMS }))
  }

  /** Processes that run. It only reads: a backup may be made by a user who may not write. */
  async listRunning(): Promise<ProcessDocument[]> {
    return this.processes.find({ seen_at: { $gte: await this.before(this.lifetimeMs) } }).toArray()
  }

  /** Called when this process serves no requests any more. */
  async remove(): Promise<void> {
    await withTimeLimit(RENEW_MS, ({ maxTimeMS }) => this.processes.deleteOne({ _id: this.id }, { maxTimeMS }))
  }

  private async before(ms: number): Promise<Date> {
    return new Date((await databaseNow(this.db)).getTime() - ms)
  }
}
