import type { AuditEntry } from '@partsbus/contracts/settings'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, type Db, ObjectId } from 'mongodb'

/*
 * An entry is `begun` before its change is made, then `done`, or removed when the change was refused.
 * One that stays `begun` belongs to a change whose outcome nobody could learn: the process died, or a service
 * did not answer. begun → done, begun → removed.
 */
interface AuditDocument {
  _id: ObjectId
  at: Date
  actor: string
  action: string
  /** JSON text: its keys are names of settings and headers, which may hold dots and dollars */
  details: string
  state: 'begun' | 'done'
}

type Details = Record<string, unknown>

/** Entries removed by one write of the sweep. */
const SWEEP_BATCH = 1_000

export class AuditStore {
  private readonly entries: Collection<AuditDocument>

  constructor(db: Db) {
    this.entries = db.collection<AuditDocument>('audit')
  }

  async prepare(): Promise<void> {
    await ensureIndexes(this.entries, [{ name: 'newest_first', key: { at: -1, _id: -1 } }])
  }

  async begin(entry: { actor: string; action: string; details: Details }): Promise<ObjectId> {
    const _id = new ObjectId()
    await this.entries.insertOne({
      _id,
      at: new Date(),
      actor: entry.actor,
      action: entry.action,
      details: JSON.stringify(entry.details),
      state: 'begun',
    })
    return _id
  }

  async complete(id: ObjectId, details: Details): Promise<void> {
    await this.entries.updateOne({ _id: id }, { $set: { state: 'done', details: JSON.stringify(details) } })
  }

  async remove(id: ObjectId): Promise<void> {
    await this.entries.deleteOne({ _id: id })
  }

  /** Newest first. A change whose outcome is not known says so in its details. */
  async list({ page, per_page }: PageRequest): Promise<Page<AuditEntry>> {
    const [total, found] = await Promise.all([
      this.entries.countDocuments(),
      this.entries
        .find()
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
    ])
    return { data: found.map(toEntry), total, page, per_page }
  }

  /**
   * Removes what is older than `days`, as the setting `audit_retention_days` is now: entries carry no date of
   * expiry of their own, so that a longer or shorter time holds for those already written.
   * @returns how many were removed
   */
  async sweep(days: number, now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - days * 24 * 3_600_000)
    let removed = 0
    for (;;) {
      const old = await this.entries
        .find({ at: { $lt: before } })
        .sort({ at: -1, _id: -1 })
        .limit(SWEEP_BATCH)
        .project<{ _id: ObjectId }>({ _id: 1 })
        .toArray()
      if (old.length === 0) return removed
      const ids = old.map((entry) => entry._id).toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1))
      removed += (await retryConflicts(() => this.entries.deleteMany({ _id: { $in: ids } }))).deletedCount
    }
  }
}

function toEntry({ at, actor, action, details, state }: AuditDocument): AuditEntry {
  const known = JSON.parse(details) as Details
  return { at: at.toISOString(), actor, action, details: state === 'done' ? known : { ...known, outcome: 'unknown' } }
}
