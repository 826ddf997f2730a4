import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import { deleteRange } from '@partsbus/platform/mongo/delete-range'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { Injectable } from '@nestjs/common'
import { type Collection, Db } from 'mongodb'
import { type LeftOutRow, showSkipped, skippedRowId, skippedRowIds } from './skipped-row.js'

/** See skipped-row-bson.ts, which writes it. */
interface SkippedRowDocument extends LeftOutRow {
  _id: number
}

const NAME = 'skipped_rows'

/** Rows that were left out, with their cells (rules.md#skipped-rows). */
@Injectable()
export class SkippedRowStore {
  private readonly rows: Collection<SkippedRowDocument>

  constructor(private readonly db: Db) {
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

  delete(taskId: number): Promise<void> {
    return deleteRange(this.rows, skippedRowIds(taskId))
  }
}
