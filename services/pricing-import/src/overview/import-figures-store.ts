import { Injectable } from '@nestjs/common'
import type { ImportFigures, ImportPoint } from '@partsbus/contracts/pricing-import/overview'
import { type Collection, Db, type Document } from 'mongodb'
import type { ImportTaskRecord } from '../import-tasks/import-task-record.js'
import { TaskStore } from '../import-tasks/task-store.js'

/** Longest time of a query that an administrator waits for. */
const TIMEOUT = { maxTimeMS: 5_000 }

interface TaskDocument extends Omit<ImportTaskRecord, 'id'> {
  _id: number
  created_at: Date
}

const sums = {
  completed: countIf({ $eq: ['$status', 'completed'] }),
  failed: countIf({ $eq: ['$status', 'failed'] }),
  rows: { $sum: '$processed_rows' },
  imported: { $sum: '$imported_rows' },
  skipped: { $sum: '$skipped_rows' },
}

function countIf(condition: Document | string): Document {
  return { $sum: { $cond: [condition, 1, 0] } }
}

export interface QueueFigures {
  pending: number
  processing: number
  /** price lists with uploads in the queue of which none is being imported */
  listsWaiting: number
  /** since the oldest upload of such a list; 0 when there is none */
  oldestWaitingMs: number
}

export interface FailedImport {
  price_list_id: number
  task_id: number
  at: string
  message: string | null
}

/** Queries of the overview and the statistics over import tasks. Each is bounded by an index. */
@Injectable()
export class ImportFiguresStore {
  private readonly collection: Collection<TaskDocument>

  constructor(
    db: Db,
    private readonly tasks: TaskStore,
  ) {
    this.collection = db.collection('import_tasks')
  }

  async countOpen(): Promise<Pick<ImportFigures, 'pending' | 'processing' | 'oldest_pending_at'>> {
    const [pending, processing, oldest] = await Promise.all([
      this.tasks.countByStatus('pending'),
      this.tasks.countByStatus('processing'),
      this.collection.findOne({ status: 'pending' }, { sort: { _id: 1 }, projection: { created_at: 1 } }),
    ])
    return { pending, processing, oldest_pending_at: oldest?.created_at.toISOString() ?? null }
  }

  async measureQueue(): Promise<QueueFigures> {
    const lists = await this.collection
      .aggregate<{ pending: number; processing: number; since: Date; now: Date }>(
        [
          { $match: { status: { $in: ['pending', 'processing'] } } },
          {
            $group: {
              _id: '$price_list_id',
              pending: countIf({ $eq: ['$status', 'pending'] }),
              processing: countIf({ $eq: ['$status', 'processing'] }),
              since: { $min: '$created_at' },
            },
          },
          { $set: { now: '$$NOW' } },
        ],
        TIMEOUT,
      )
      .toArray()
    const waiting = lists.filter(({ processing }) => processing === 0)
    return {
      pending: lists.reduce((sum, { pending }) => sum + pending, 0),
      processing: lists.reduce((sum, { processing }) => sum + processing, 0),
      listsWaiting: waiting.length,
      oldestWaitingMs: Math.max(0, ...waiting.map(({ since, now }) => now.getTime() - since.getTime())),
    }
  }

  /** The imports that ended since then. */
  async sumEnded(since: Date): Promise<ImportFigures['day']> {
    const [ended] = await this.collection
      .aggregate<ImportFigures['day']>(
        [{ $match: { completed_at: { $gte: since } } }, { $group: { _id: null, ...sums } }],
        TIMEOUT,
      )
      .toArray()
    const { completed = 0, failed = 0, rows = 0, imported = 0, skipped = 0 } = ended ?? {}
    return { completed, failed, rows, imported, skipped }
  }

  /** The last import that ended of each list, where it failed since then; the latest first. */
  async findFailed(since: Date): Promise<FailedImport[]> {
    const ended = await this.collection
      .aggregate<{ _id: number; task: { id: number; status: string; at: Date; message: string | null } }>(
        [
          { $match: { completed_at: { $gte: since } } },
          { $sort: { completed_at: 1 } },
          {
            $group: {
              _id: '$price_list_id',
              task: { $last: { id: '$_id', status: '$status', at: '$completed_at', message: '$error_message' } },
            },
          },
          { $match: { 'task.status': 'failed' } },
        ],
        TIMEOUT,
      )
      .toArray()
    return ended
      .toSorted((one, other) => other.task.at.getTime() - one.task.at.getTime())
      .map(({ _id, task: { id, at, message } }) => ({
        price_list_id: _id,
        task_id: id,
        at: at.toISOString(),
        message,
      }))
  }

  /** The file name of the newest import of each list. */
  async findLastFileNames(): Promise<Map<number, string>> {
    const newest = await this.collection
      .aggregate<{ _id: number; task: number }>(
        // the order of an index, so that the database reads one entry a list
        [{ $sort: { price_list_id: 1, _id: -1 } }, { $group: { _id: '$price_list_id', task: { $first: '$_id' } } }],
        TIMEOUT,
      )
      .toArray()
    const files = await this.collection
      .find({ _id: { $in: newest.map(({ task }) => task) } }, TIMEOUT)
      .project<Pick<TaskDocument, 'price_list_id' | 'file_name'>>({ price_list_id: 1, file_name: 1 })
      .toArray()
    return new Map(files.map(({ price_list_id, file_name }) => [price_list_id, file_name]))
  }

  async sumBySteps({
    from,
    to,
    stepMs,
    price_list_id,
  }: {
    from: Date
    to: Date
    stepMs: number
    price_list_id?: number | undefined
  }): Promise<ImportPoint[]> {
    const step = { $floor: { $divide: [{ $subtract: ['$completed_at', new Date(0)] }, stepMs] } }
    const points = await this.collection
      .aggregate<Omit<ImportPoint, 'at' | 'seconds'> & { _id: number; ms: number }>(
        [
          {
            $match: { completed_at: { $gte: from, $lt: to }, ...(price_list_id !== undefined && { price_list_id }) },
          },
          {
            $group: {
              _id: step,
              ...sums,
              superseded: countIf('$superseded'),
              ms: { $sum: { $subtract: ['$completed_at', { $ifNull: ['$started_at', '$completed_at'] }] } },
            },
          },
          { $sort: { _id: 1 } },
        ],
        TIMEOUT,
      )
      .toArray()
    return points.map(({ _id, ms, ...counts }) => ({
      at: new Date(_id * stepMs).toISOString(),
      ...counts,
      seconds: Math.round(ms / 100) / 10,
    }))
  }
}
