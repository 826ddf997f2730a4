import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { SkippedRow } from '@partsbus/contracts/price-list'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import type { Collection, Db } from 'mongodb'
import { type LeftOutRow, showSkipped, skippedRowId, skippedRowIds } from './skipped-row.js'

/** See skipped-row-bson.ts, which writes it. */
interface SkippedRowDocument extends LeftOutRow {
  _id: number
}

const NAME = 'skipped_rows'
const DELETED_AT_ONCE = 10_000

/** Rows that were left out, with their cells (rules.md#skipped-rows). */
export class SkippedRowStore {
  private readonly db: Db
  private readonly rows: Collection<SkippedRowDocument>

  constructor(db: Db) {
    this.db = db
    this.rows = db.collection(NAME)
  }

  /** @param documents as `writeSkippedRow` makes them, one behind the other; those that are there already stay */
  async write(documents: Uint8Array): Promise<void> {
    if (documents.length > 0) await retryConflicts(() => insertRaw(this.db, NAME, documents))
  }

  /** @param afterRow only rows behind that one; the total then counts those of the page alone */
  async list(taskId: number, { page, per_page }: PageRequest, afterRow?: number): Promise<Page<SkippedRow>> {
    const { $gte, $lt } = skippedRowIds(taskId)
    const filter = { _id: afterRow === undefined ? { $gte, $lt } : { $gt: skippedRowId(taskId, afterRow), $lt } }
    const rows = await this.rows
      .find(filter)
      .sort({ _id: 1 })
      .skip((page - 1) * per_page)
      .limit(per_page)
      .toArray()
    const total = afterRow === undefined ? await this.rows.countDocuments(filter) : rows.length
    return { data: rows.map(showSkipped), total, page, per_page }
  }

  async delete(taskId: number): Promise<void> {
    const ids = skippedRowIds(taskId)
    // a part at a time, so that no lock is held for long
    for (let from = ids.$gte; from < ids.$lt;) {
      const [next] = await this.rows
        .find({ _id: { $gte: from, $lt: ids.$lt } })
        .sort({ _id: 1 })
        .skip(DELETED_AT_ONCE)
        .limit(1)
        .project<{ _id: number }>({ _id: 1 })
        .toArray()
      const to = next?._id ?? ids.$lt
      await this.rows.deleteMany({ _id: { $gte: from, $lt: to } })
      from = to
    }
  }
}
