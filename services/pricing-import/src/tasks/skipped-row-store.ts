import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { SkippedRow } from '@partsbus/contracts/price-list'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo-error'
import type { Collection } from 'mongodb'
import { type SkipCode, skipTexts } from '../rows/skip-code.js'

interface SkippedRowDocument {
  /** task × 2^24 + row: written twice is written once, and a task's rows lie together in their order */
  _id: number
  row: number
  code: SkipCode
  cells: string[]
}

export interface LeftOutRow {
  row: number
  code: SkipCode
  cells: string[]
}

const ROWS = 2 ** 24
const MAX_CELLS = 257
const DELETED_AT_ONCE = 10_000
const MAX_CELL = 2_000

/** Rows that were left out, with their cells (decisions, "Skipped rows"). */
export class SkippedRowStore {
  private readonly rows: Collection<SkippedRowDocument>

  constructor(rows: Collection<SkippedRowDocument>) {
    this.rows = rows
  }

  async write(taskId: number, skipped: LeftOutRow[]): Promise<void> {
    if (skipped.length === 0) return
    const documents = skipped.map(({ row, code, cells }) => ({ _id: taskId * ROWS + row, row, code, cells: keptCells(cells) }))
    await retryConflicts(() => collectDuplicates(() => this.rows.insertMany(documents, { ordered: false })))
  }

  /** @param afterRow only rows behind that one; the total then counts those of the page alone */
  async list(taskId: number, { page, per_page }: PageRequest, afterRow?: number): Promise<Page<SkippedRow>> {
    const { $gte, $lt } = idsOf(taskId)
    const filter = { _id: afterRow === undefined ? { $gte, $lt } : { $gt: $gte + Math.min(afterRow, ROWS - 1), $lt } }
    const rows = await this.rows.find(filter).sort({ _id: 1 }).skip((page - 1) * per_page).limit(per_page).toArray()
    const total = afterRow === undefined ? await this.rows.countDocuments(filter) : rows.length
    return { data: rows.map(showSkipped), total, page, per_page }
  }

  async delete(taskId: number): Promise<void> {
    const ids = idsOf(taskId)
    // a part at a time, so that no lock is held for long
    for (let from = ids.$gte; from < ids.$lt;) {
      const [next] = await this.rows.find({ _id: { $gte: from, $lt: ids.$lt } }).sort({ _id: 1 }).skip(DELETED_AT_ONCE).limit(1).project<{ _id: number }>({ _id: 1 }).toArray()
      const to = next?._id ?? ids.$lt
      await this.rows.deleteMany({ _id: { $gte: from, $lt: to } })
      from = to
    }
  }
}

/** A row that was left out, as the administrator sees it. */
export function showSkipped({ row, code, cells }: LeftOutRow): SkippedRow {
  return { row, code, message: skipTexts[code], cells: [...cells] }
}

function idsOf(taskId: number): { $gte: number; $lt: number } {
  return { $gte: taskId * ROWS, $lt: (taskId + 1) * ROWS }
}

/** Cells without the blank ones at the end; a monstrous row is cut, so that a batch of them fits a message. */
export function keptCells(cells: string[]): string[] {
  let length = Math.min(cells.length, MAX_CELLS)
  while (length > 0 && cells[length - 1] === '') length -= 1
  return cells.slice(0, length).map((cell) => cell.slice(0, MAX_CELL).toWellFormed())
}
