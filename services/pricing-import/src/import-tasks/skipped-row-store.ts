import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { insertRaw } from '@partsbus/platform/mongo/raw-insert/insert-raw'
import { deleteRange } from '@partsbus/platform/mongo/delete-range'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { Injectable } from '@nestjs/common'
import { type Collection, Db, type Filter } from 'mongodb'
import { needlessCodes, type SkipCode } from '../rows/skip-code.js'
import { type LeftOutRow, skippedRowId, skippedRowIds } from './skipped-row.js'

/** See skipped-row-bson.ts, which writes it. */
interface SkippedRowDocument extends LeftOutRow {
  _id: number
}

/** Which rows are listed. */
export interface SkippedRowFilter {
  code?: string | undefined
  /** without those that need no correction */
  correctable?: boolean | undefined
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

  /** @param wanted `after_row`: only rows behind that one, at the same cost for every page */
  async list(
    taskId: number,
    { page, per_page, after_row, ...wanted }: PageRequest & SkippedRowFilter & { after_row?: number | undefined },
  ): Promise<Omit<Page<LeftOutRow>, 'total'>> {
    const { $gte, $lt } = skippedRowIds(taskId)
    const filter = {
      _id: after_row === undefined ? { $gte, $lt } : { $gt: skippedRowId(taskId, after_row), $lt },
      ...filterFor(wanted),
    }
    const rows = await this.rows
      .find(filter)
      .sort({ _id: 1 })
      .skip((page - 1) * per_page)
      .limit(per_page)
      .toArray()
    return { data: rows.map(({ _id, ...row }) => row), page, per_page }
  }

  count(taskId: number, wanted: SkippedRowFilter = {}): Promise<number> {
    return this.rows.countDocuments({ _id: skippedRowIds(taskId), ...filterFor(wanted) })
  }

  delete(taskId: number): Promise<void> {
    return deleteRange(this.rows, skippedRowIds(taskId))
  }
}

function filterFor({ code, correctable = false }: SkippedRowFilter): Filter<SkippedRowDocument> {
  const conditions = {
    ...(code !== undefined && { $eq: code as SkipCode }),
    ...(correctable && { $nin: needlessCodes }),
  }
  return Object.keys(conditions).length > 0 ? { code: conditions } : {}
}
