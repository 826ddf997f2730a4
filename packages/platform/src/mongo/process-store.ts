import { randomUUID } from 'node:crypto'
import type { Collection, Db } from 'mongodb'
import { databaseNow } from './clock.js'

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
  readonly id: string = randomUUID()
  /** written with each renewal */
  report: { read(): ProcessReport } | undefined
  private readonly processes: Collection<ProcessDocument>
  private readonly db: Db

  constructor(db: Db, collection: string) {
    this.db = db
    this.processes = db.collection<ProcessDocument>(collection)
  }

  async renew(): Promise<void> {
    await this.processes.updateOne(
      { _id: this.id },
      { $currentDate: { seen_at: true }, ...(this.report && { $set: this.report.read() }) },
      { upsert: true, timeoutMS: RENEW_MS },
    )
  }

  /** Processes that run; the entries of others are deleted. */
  async listRunning(): Promise<ProcessDocument[]> {
    const now = (await databaseNow(this.db)).getTime()
    const found = await this.processes.find().toArray()
    const isOlder = (age: number) => (entry: ProcessDocument) => entry.seen_at.getTime() < now - age
    const forgotten = found.filter(isOlder(FORGET_MS)).map(({ _id }) => _id)
    if (forgotten.length > 0) await this.processes.deleteMany({ _id: { $in: forgotten } })
    return found.filter((entry) => !isOlder(LIFETIME_MS)(entry))
  }

  async listOthers(): Promise<string[]> {
    return (await this.listRunning()).map(({ _id }) => _id).filter((id) => id !== this.id)
  }

  /** Called when this process serves no requests any more. */
  async remove(): Promise<void> {
    await this.processes.deleteOne({ _id: this.id }, { timeoutMS: RENEW_MS })
  }
}
