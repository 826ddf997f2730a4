import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Collection, Db, UpdateFilter } from 'mongodb'
import type { ImportTaskRecord, TaskStatus } from './import-task-record.js'

/*
 * pending → processing (claim) → completed or failed. A claim of a task that is processing raises `attempt` again and
 * leaves the status; every write of a worker filters on its attempt, so a worker that was replaced changes nothing.
 */
interface TaskDocument extends Omit<ImportTaskRecord, 'id'> {
  _id: number
  created_at: Date
  /** where the last claim began, to see whether an attempt got on */
  claimed_row: number
  /** no attempt before */
  not_before: Date
}

export type NewTask = Pick<
  ImportTaskRecord,
  | 'id'
  | 'price_list_id'
  | 'source_type'
  | 'file_id'
  | 'file_name'
  | 'file_size'
  | 'rules'
  | 'mode'
  | 'min_rows_ratio'
  | 'max_unpacked'
  | 'request_id'
>

type Progress = Partial<
  Pick<
    ImportTaskRecord,
    'total_rows' | 'header' | 'processed_rows' | 'imported_rows' | 'skipped_rows' | 'resume_row' | 'is_switching'
  >
>

const OPEN: TaskStatus[] = ['pending', 'processing']

export class TaskStore {
  private readonly db: Db
  private readonly tasks: Collection<TaskDocument>

  constructor(db: Db) {
    this.db = db
    this.tasks = db.collection('import_tasks')
  }

  async prepare(): Promise<void> {
    await this.db.createCollection('import_tasks').catch(() => undefined)
    await ensureIndexes(this.tasks, [
      { name: 'status_list', key: { status: 1, price_list_id: 1 } },
      { name: 'list', key: { price_list_id: 1, _id: -1 } },
      { name: 'file', key: { file_id: 1 } },
      { name: 'completed', key: { completed_at: 1 } },
    ])
  }

  async insert({ id, ...task }: NewTask): Promise<void> {
    await this.tasks.insertOne({
      _id: id,
      ...task,
      status: 'pending',
      total_rows: 0,
      header: null,
      processed_rows: 0,
      imported_rows: 0,
      skipped_rows: 0,
      resume_row: 0,
      claimed_row: 0,
      error_message: null,
      superseded: false,
      started_at: null,
      completed_at: null,
      attempt: 0,
      tries: 0,
      is_switching: false,
      created_at: new Date(),
      not_before: new Date(0),
    })
  }

  async find(id: number): Promise<ImportTaskRecord | undefined> {
    const found = await this.tasks.findOne({ _id: id })
    return found ? toRecord(found) : undefined
  }

  /** Newest first. */
  async list({
    page,
    per_page,
    price_list_id,
    status,
  }: PageRequest & { price_list_id?: number; status?: TaskStatus }): Promise<Page<ImportTaskRecord>> {
    const filter = { ...(price_list_id !== undefined && { price_list_id }), ...(status !== undefined && { status }) }
    const [rows, total] = await Promise.all([
      this.tasks
        .find(filter)
        .sort({ _id: -1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.tasks.countDocuments(filter),
    ])
    return { data: rows.map(toRecord), total, page, per_page }
  }

  /** The oldest task of each list that is not done, where it may begin by now: a list imports in the order of its uploads. */
  async due(): Promise<Map<number, number>> {
    const rows = await this.tasks
      .aggregate<{ _id: number; task: number }>([
        { $match: { status: { $in: OPEN } } },
        { $group: { _id: '$price_list_id', task: { $min: '$_id' } } },
      ])
      .toArray()
    const now = new Date()
    const early = await this.tasks
      .find({ _id: { $in: rows.map(({ task }) => task) }, not_before: { $gt: now } })
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    const later = new Set(early.map(({ _id }) => _id))
    return new Map(rows.filter(({ task }) => !later.has(task)).map(({ _id, task }) => [_id, task]))
  }

  /** Claims a task; the caller holds the lease of its list. @returns undefined when it is done by now */
  async claim(id: number): Promise<ImportTaskRecord | undefined> {
    const gotOn = { $gt: ['$resume_row', '$claimed_row'] }
    const claimed = await this.tasks.findOneAndUpdate(
      { _id: id, status: { $in: OPEN } },
      [
        {
          $set: {
            status: 'processing',
            attempt: { $add: ['$attempt', 1] },
            started_at: { $ifNull: ['$started_at', '$$NOW'] },
            tries: { $cond: [gotOn, 1, { $add: ['$tries', 1] }] },
            claimed_row: '$resume_row',
            is_switching: false,
          },
        },
      ],
      { returnDocument: 'after' },
    )
    return claimed ? toRecord(claimed) : undefined
  }

  /** @returns false when the task was claimed again, cancelled or done: the caller must stop */
  save(task: ImportTaskRecord, progress: Progress): Promise<boolean> {
    return this.write(task, { $set: progress })
  }

  /** Ends a task. @returns as {@link save} */
  end(
    task: ImportTaskRecord,
    as: { status: 'completed' | 'failed'; error_message?: string; superseded?: boolean },
  ): Promise<boolean> {
    const { status, error_message = null, superseded = false } = as
    return this.write(task, {
      $set: { status, error_message, superseded, is_switching: false },
      $currentDate: { completed_at: true },
    })
  }

  /** Gives a task back for a later attempt. @param isOwnFault false when the attempt is not to count */
  async giveBack(task: ImportTaskRecord, delayMs: number, isOwnFault: boolean): Promise<void> {
    await this.write(task, {
      $set: { not_before: new Date(Date.now() + delayMs), is_switching: false },
      ...(!isOwnFault && { $inc: { tries: -1 } }),
    })
  }

  /** Ends a task from outside; its worker finds its attempt outdated. @returns undefined when it is done or being made live */
  async cancel(task: ImportTaskRecord, message: string): Promise<ImportTaskRecord | undefined> {
    const cancelled = await this.tasks.findOneAndUpdate(
      { _id: task.id, status: { $in: OPEN }, is_switching: false },
      {
        $set: { status: 'failed', error_message: message },
        $inc: { attempt: 1 },
        $currentDate: { completed_at: true },
      },
      { returnDocument: 'after' },
    )
    return cancelled ? toRecord(cancelled) : undefined
  }

  countOpen(priceListId: number): Promise<number> {
    return this.tasks.countDocuments({ price_list_id: priceListId, status: { $in: OPEN } })
  }

  countByStatus(status: TaskStatus): Promise<number> {
    return this.tasks.countDocuments({ status })
  }

  /** @param by a task that does not count */
  isFileUsed(fileId: number, by = 0): Promise<boolean> {
    return this.tasks
      .findOne({ file_id: fileId, _id: { $ne: by } }, { projection: { _id: 1 } })
      .then((found) => found !== null)
  }

  async ofList(priceListId: number): Promise<Array<{ id: number; file_id: number }>> {
    const found = await this.tasks
      .find({ price_list_id: priceListId })
      .project<{ _id: number; file_id: number }>({ file_id: 1 })
      .toArray()
    return found.map(({ _id, file_id }) => ({ id: _id, file_id }))
  }

  /** Tasks that ended before a date. */
  async endedBefore(date: Date): Promise<Array<{ id: number; file_id: number; price_list_id: number }>> {
    const found = await this.tasks
      .find({ status: { $in: ['completed', 'failed'] }, completed_at: { $lt: date } })
      .limit(500)
      .project<{ _id: number; file_id: number; price_list_id: number }>({ file_id: 1, price_list_id: 1 })
      .toArray()
    return found.map(({ _id, file_id, price_list_id }) => ({ id: _id, file_id, price_list_id }))
  }

  async delete(id: number): Promise<void> {
    await this.tasks.deleteOne({ _id: id })
  }

  private async write(task: ImportTaskRecord, update: UpdateFilter<TaskDocument>): Promise<boolean> {
    return (
      (await this.tasks.updateOne({ _id: task.id, attempt: task.attempt, status: 'processing' }, update))
        .matchedCount === 1
    )
  }
}

function toRecord({
  _id,
  created_at: _at,
  claimed_row: _row,
  not_before: _before,
  ...record
}: TaskDocument): ImportTaskRecord {
  return { id: _id, ...record }
}
