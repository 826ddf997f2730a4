import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { type Collection, Db, type Document, type UpdateFilter } from 'mongodb'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { ImportTaskRecord, NewTask, Progress, TaskFailure, TaskStatus } from './import-task-record.js'
import { endCompleted, endFailed } from './task-ending.js'
import { filterFor, type TaskFilter } from './task-filter.js'

/*
 * pending → processing (claim) → completed or failed. A claim of a task that is processing raises `attempt` again and
 * leaves the status; every write of a worker filters on its attempt, so a worker that was replaced changes nothing.
 * A task that ends without going live is `discarded` until the rows of its version are scheduled for deletion.
 */
interface TaskDocument extends Omit<ImportTaskRecord, 'id'> {
  _id: number
  /** where the last claim began, to see whether an attempt got on */
  claimed_row: number
  /** no attempt before, by the database's clock */
  not_before: Date
  discarded?: boolean
}

const OPEN: TaskStatus[] = ['pending', 'processing']
const NEVER = new Date(0)
/** Megabytes that only the run of an import needs. */
const SHOWN = { projection: { 'rules.known_brands': 0 } }

@Injectable()
export class TaskStore implements OnModuleInit {
  private readonly tasks: Collection<TaskDocument>

  constructor(private readonly db: Db) {
    this.tasks = db.collection('import_tasks')
  }

  async onModuleInit(): Promise<void> {
    await this.db.createCollection('import_tasks').catch(() => undefined)
    await ensureIndexes(this.tasks, [
      { name: 'status_list', key: { status: 1, price_list_id: 1 } },
      { name: 'list', key: { price_list_id: 1, _id: -1 } },
      { name: 'file', key: { file_id: 1 } },
      { name: 'completed', key: { completed_at: 1 } },
      { name: 'discarded', key: { discarded: 1 } },
      { name: 'created', key: { created_at: 1 } },
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
      skipped_by_code: {},
      resume_row: 0,
      claimed_row: 0,
      error_message: null,
      error_code: null,
      superseded: false,
      started_at: null,
      completed_at: null,
      attempt: 0,
      tries: 0,
      is_switching: false,
      created_at: new Date(),
      not_before: NEVER,
    })
  }

  /** As all reads but {@link claim}, without the known brands of the rules. */
  async find(id: number): Promise<ImportTaskRecord | undefined> {
    const found = await this.tasks.findOne({ _id: id }, SHOWN)
    return found ? toRecord(found) : undefined
  }

  /** Newest first. */
  list({ page, per_page, ...filter }: PageRequest & TaskFilter): Promise<Page<ImportTaskRecord>> {
    return findPage(this.tasks, filterFor(filter), { _id: -1 }, { page, per_page }, toRecord, SHOWN)
  }

  async findNewest(limit: number): Promise<ImportTaskRecord[]> {
    return (await this.tasks.find({}, SHOWN).sort({ _id: -1 }).limit(limit).toArray()).map(toRecord)
  }

  /** The oldest open task of each list, if it may start by now: a list imports in the order of its uploads. */
  async due(): Promise<Map<number, number>> {
    const rows = await this.tasks
      .aggregate<{ _id: number; task: number; latest: Date }>([
        { $match: { status: { $in: OPEN } } },
        { $group: { _id: '$price_list_id', task: { $min: '$_id' }, latest: { $max: '$not_before' } } },
      ])
      .toArray()
    const later = await this.delayed(rows.filter(({ latest }) => latest > NEVER).map(({ task }) => task))
    return new Map(rows.filter(({ task }) => !later.has(task)).map(({ _id, task }) => [_id, task]))
  }

  /** The same of one list. */
  async dueOf(listId: number): Promise<number | undefined> {
    const open = { price_list_id: listId, status: { $in: OPEN } }
    const oldest = await this.tasks.findOne(open, { sort: { _id: 1 }, projection: { not_before: 1 } })
    if (!oldest || oldest.not_before <= NEVER) return oldest?._id
    return (await this.delayed([oldest._id])).has(oldest._id) ? undefined : oldest._id
  }

  /** Those of these tasks that may not be tried yet. */
  private async delayed(ids: number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set()
    const found = await this.tasks
      .find({ _id: { $in: ids }, not_before: { $gt: NEVER } })
      .project<{ _id: number; not_before: Date }>({ not_before: 1 })
      .toArray()
    if (found.length === 0) return new Set()
    const now = await databaseNow(this.db)
    return new Set(found.filter(({ not_before }) => not_before > now).map(({ _id }) => _id))
  }

  /** Claims a task; the caller holds the lease of its list. @returns undefined when it has already ended */
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
          },
        },
      ],
      { returnDocument: 'after' },
    )
    return claimed ? toRecord(claimed) : undefined
  }

  /** The newest task of each of these lists. */
  async newestOf(listIds: number[]): Promise<Map<number, ImportTaskRecord>> {
    const newest = await this.tasks
      .aggregate<{ _id: number; task: number }>([
        { $match: { price_list_id: { $in: listIds } } },
        { $group: { _id: '$price_list_id', task: { $max: '$_id' } } },
      ])
      .toArray()
    const found = await this.tasks.find({ _id: { $in: newest.map(({ task }) => task) } }, SHOWN).toArray()
    return new Map(found.map((task) => [task.price_list_id, toRecord(task)]))
  }

  /** The places of waiting tasks in the queue, from 1. */
  async queuePositions(): Promise<Map<number, number>> {
    const waiting = await this.tasks
      .find({ status: 'pending' })
      .sort({ _id: 1 })
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    return new Map(waiting.map(({ _id }, index) => [_id, index + 1]))
  }

  /** @returns false when the task was claimed again, cancelled or done: the caller must stop */
  save(task: ImportTaskRecord, progress: Progress): Promise<boolean> {
    return this.write(task, { $set: progress })
  }

  /** Ends a task. @returns as {@link save} */
  end(
    task: ImportTaskRecord,
    as: { status: 'completed'; superseded?: boolean } | { status: 'failed'; failure: TaskFailure },
  ): Promise<boolean> {
    return this.write(task, as.status === 'failed' ? endFailed(as.failure) : endCompleted(as.superseded ?? false))
  }

  /**
   * Schedules a later attempt. `is_switching` stays, because that attempt finds out whether the switch took place.
   * @param isOwnFault false when the attempt does not count
   */
  async giveBack(task: ImportTaskRecord, delayMs: number, isOwnFault: boolean): Promise<void> {
    await this.write(task, [
      {
        $set: {
          not_before: { $add: ['$$NOW', delayMs] },
          ...(!isOwnFault && { tries: { $subtract: ['$tries', 1] } }),
        },
      },
    ])
  }

  /** Ends a task, which makes the attempt of its worker outdated. @returns undefined if it is done or going live */
  async cancel(task: ImportTaskRecord, failure: TaskFailure): Promise<ImportTaskRecord | undefined> {
    const cancelled = await this.tasks.findOneAndUpdate(
      { _id: task.id, status: { $in: OPEN }, is_switching: false },
      [...endFailed(failure), { $set: { attempt: { $add: ['$attempt', 1] } } }],
      { returnDocument: 'after', ...SHOWN },
    )
    return cancelled ? toRecord(cancelled) : undefined
  }

  /** Ended tasks whose rows are not scheduled for deletion yet. */
  async discarded(): Promise<Array<Pick<ImportTaskRecord, 'id' | 'price_list_id'>>> {
    const found = await this.tasks
      .find({ discarded: true })
      .limit(500)
      .project<{ _id: number; price_list_id: number }>({ price_list_id: 1 })
      .toArray()
    return found.map(({ _id, price_list_id }) => ({ id: _id, price_list_id }))
  }

  async settleDiscarded(id: number): Promise<void> {
    await this.tasks.updateOne({ _id: id }, { $unset: { discarded: '' } })
  }

  /** Tasks that wait or run, of one list or of all. */
  countOpen(priceListId?: number): Promise<number> {
    return this.tasks.countDocuments({
      status: { $in: OPEN },
      ...(priceListId !== undefined && { price_list_id: priceListId }),
    })
  }

  countOfList(priceListId: number): Promise<number> {
    return this.tasks.countDocuments({ price_list_id: priceListId })
  }

  /** 0 when there is none. */
  async highestId(): Promise<number> {
    const [found] = await this.tasks.find().sort({ _id: -1 }).limit(1).project<{ _id: number }>({ _id: 1 }).toArray()
    return found?._id ?? 0
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

  /** Tasks that ended `ms` ago, by the database's clock: a process with a wrong clock deletes nothing. */
  async endedFor(ms: number): Promise<Array<{ id: number; file_id: number; price_list_id: number }>> {
    const date = new Date((await databaseNow(this.db)).getTime() - ms)
    const found = await this.tasks
      .find({ status: { $in: ['completed', 'failed'] }, completed_at: { $lt: date }, discarded: { $ne: true } })
      .limit(500)
      .project<{ _id: number; file_id: number; price_list_id: number }>({ file_id: 1, price_list_id: 1 })
      .toArray()
    return found.map(({ _id, file_id, price_list_id }) => ({ id: _id, file_id, price_list_id }))
  }

  async delete(id: number): Promise<void> {
    await this.tasks.deleteOne({ _id: id })
  }

  private async write(task: ImportTaskRecord, update: UpdateFilter<TaskDocument> | Document[]): Promise<boolean> {
    return (
      (await this.tasks.updateOne({ _id: task.id, attempt: task.attempt, status: 'processing' }, update))
        .matchedCount === 1
    )
  }
}

function toRecord({
  _id,
  claimed_row: _row,
  not_before: _before,
  discarded: _discarded,
  ...record
}: TaskDocument): ImportTaskRecord {
  return { id: _id, ...record }
}
