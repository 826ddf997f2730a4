import type { AuditEntry } from '@partsbus/contracts/gateway/settings'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, type Db, ObjectId } from 'mongodb'

/*
 * States: begun → done, begun → deleted. An entry is `begun` before its change is made; it is deleted when the change
 * was refused. An entry that stays `begun` belongs to a change with an unknown outcome: the process died, or a service
 * did not answer. All times are those of the database's clock.
 */
interface AuditDocument {
  _id: ObjectId
  at: Date
  actor: string
  action: string
  /** JSON text, because names of settings and headers may contain dots and dollars */
  details: string
  state: 'begun' | 'done'
}

type Details = Record<string, unknown>

/** Entries deleted by one write. */
const DELETE_BATCH = 1_000

export class AuditStore {
  private readonly entries: Collection<AuditDocument>
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
    this.entries = db.collection<AuditDocument>('audit')
  }

  async ensureIndexes(): Promise<void> {
    await ensureIndexes(this.entries, [{ name: 'newest_first', key: { at: -1, _id: -1 } }])
  }

  async begin(entry: { actor: string; action: string; details: Details }): Promise<ObjectId> {
    const _id = new ObjectId()
    await this.entries.insertOne({
      _id,
      at: await databaseNow(this.db),
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

  async delete(id: ObjectId): Promise<void> {
    await this.entries.deleteOne({ _id: id })
  }

  /** Newest first. The details of a change with an unknown outcome say so. */
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
   * Deletes entries that are older than `days` by the database's clock. Entries have no expiry date of their own, so
   * that a changed setting applies to the existing ones.
   * @returns how many were deleted
   */
  async deleteOlderThan(days: number): Promise<number> {
    const before = new Date((await databaseNow(this.db)).getTime() - days * 24 * 3_600_000)
    let deleted = 0
    for (;;) {
      const old = await this.entries
        .find({ at: { $lt: before } })
        .sort({ at: -1, _id: -1 })
        .limit(DELETE_BATCH)
        .project<{ _id: ObjectId }>({ _id: 1 })
        .toArray()
      if (old.length === 0) return deleted
      const ids = old.map((entry) => entry._id).toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1))
      deleted += (await retryConflicts(() => this.entries.deleteMany({ _id: { $in: ids } }))).deletedCount
    }
  }
}

function toEntry({ at, actor, action, details, state }: AuditDocument): AuditEntry {
  const known = JSON.parse(details) as Details
  return { at: at.toISOString(), actor, action, details: state === 'done' ? known : { ...known, outcome: 'unknown' } }
}
