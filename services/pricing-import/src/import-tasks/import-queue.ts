import { setTimeout as sleep } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { FileNotFound, FileStorageUnavailable } from '@partsbus/file-store/file-driver'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { annotateSpan, currentRequestOrigin, traceStep } from '@partsbus/platform/process/spans'
import { FileStore, type StoredFile } from '../files/file-store.js'
import type { LocalFile } from '../files/local-file.js'
import { storeFailed } from '../files/store-failed.js'
import { ImportNudges } from '../imports/import-nudges.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { TaskStore } from './task-store.js'

/**
 * Limits of open tasks, so that no partner can fill the queue (partners.md#upload-6). They are checked before a task is
 * created, so slightly more may be accepted.
 */
const MAX_OPEN_OF_LIST = 200
const MAX_OPEN = 1_000
const RETRY_AFTER_S = 60
/** How long a deletion of the list may take to decide; it takes some ms, and no longer than its process lives. */
const DECISION_MS = 2_000
const DECISION_POLL_MS = 10

/** How a file came, and to how many bytes it may unpack. */
export interface Origin {
  source_type: ImportTask['source_type']
  max_unpacked: number
  /** the name of an administrator, `partner`, or the id of a source */
  created_by?: string | number
  /** merges into the live list even when the list replaces */
  merges_once?: boolean
  /** the failed task of the same file */
  retry_of?: number
}

/** Where uploads, scheduled sources and retries put their imports. */
@Injectable()
export class ImportQueue {
  constructor(
    private readonly tasks: TaskStore,
    private readonly lists: PriceListStore,
    private readonly files: FileStore,
    private readonly counters: CounterStore,
    private readonly nudges: ImportNudges,
  ) {}

  /** @throws AppError RATE_LIMITED when too many imports of the list, or of all lists, are waiting */
  async assertHasRoom(listId: number): Promise<void> {
    const ofAll = await this.tasks.countOpen()
    // the count of the list is no larger
    if (ofAll < MAX_OPEN_OF_LIST) return
    const ofList = await this.tasks.countOpen(listId)
    if (ofList >= MAX_OPEN_OF_LIST) throw tooMany(`${MAX_OPEN_OF_LIST} imports of this price list are waiting already.`)
    if (ofAll >= MAX_OPEN) throw tooMany(`${MAX_OPEN} imports are waiting already.`)
  }

  /**
   * Stores a checked file.
   * @param keptFor the administrator of a preview
   * @throws AppError STORE_FAILED, or UNAVAILABLE while the database is down
   */
  async storeFile(file: LocalFile, keptFor?: number): Promise<StoredFile> {
    try {
      return await traceStep('upload.store', () => this.files.store(file.path, file.name, keptFor))
    } catch (error) {
      const known = toAppError(error)
      throw known.code === 'INTERNAL' || known instanceof FileStorageUnavailable ? storeFailed(error) : known
    }
  }

  /**
   * Makes the task that imports a stored file and nudges a worker. When it returns, the task is durable.
   * @returns its id
   * @throws AppError NOT_FOUND when the list was deleted meanwhile, STORE_FAILED when the file was
   */
  async createTask(
    list: PriceListRecord,
    file: Pick<StoredFile, 'id' | 'name' | 'size'>,
    origin: Origin,
  ): Promise<number> {
    const id = await this.counters.allocate('import_tasks', 1)
    const { format, markup_percent, delivery_days, mode, min_rows_ratio } = list
    await this.tasks.insert({
      id,
      price_list_id: list.id,
      file_id: file.id,
      file_name: file.name,
      file_size: file.size,
      rules: { format, markup_percent, delivery_days },
      mode: origin.merges_once ? 'merge' : mode,
      min_rows_ratio,
      request_id: currentScope()?.requestId ?? '',
      request_origin: currentRequestOrigin(),
      ...origin,
    })
    const isStored = await this.files.markUsed(file.id)
    if (isStored && (await this.isThere(list.id))) {
      this.nudges.send(id)
      annotateSpan('partsbus.import_task', id)
      return id
    }
    await this.tasks.delete(id)
    throw isStored ? new AppError('NOT_FOUND', texts.notFound) : storeFailed(new FileNotFound(String(file.id)))
  }

  /**
   * Whether a list is there after a task of it was stored: a deletion that did not see the task has hidden the list by
   * now, and one that did shows it again.
   */
  private async isThere(id: number): Promise<boolean> {
    const end = performance.now() + DECISION_MS
    while (!(await this.lists.find(id))) {
      if (performance.now() > end || !(await this.lists.isUndecided(id)))
        return (await this.lists.find(id)) !== undefined
      await sleep(DECISION_POLL_MS)
    }
    return true
  }
}

function tooMany(what: string): AppError {
  return new AppError('RATE_LIMITED', `${what} Try again later.`, { details: { retryAfter: RETRY_AFTER_S } })
}
