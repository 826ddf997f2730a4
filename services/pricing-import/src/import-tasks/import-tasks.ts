import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { AdminImportTask, ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type { SkippedRow } from '@partsbus/contracts/pricing-import/price-list'
import type * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { FileStore } from '../files/file-store.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { VersionCleanup } from '../versions/version-cleanup.js'
import { ImportQueue } from './import-queue.js'
import type { ImportTaskRecord } from './import-task-record.js'
import { SkippedRowStore } from './skipped-row-store.js'
import { TaskStore } from './task-store.js'
import { adminTaskView, taskView } from './task-view.js'

const MAX_READ_BYTES = 1024 * 1024

/** admin.md#import-tasks, partners.md#status */
@Injectable()
export class ImportTasks {
  constructor(
    private readonly tasks: TaskStore,
    private readonly skippedRows: SkippedRowStore,
    private readonly lists: PriceListStore,
    private readonly files: FileStore,
    private readonly queue: ImportQueue,
    private readonly versions: VersionCleanup,
  ) {}

  /** @throws AppError NOT_FOUND */
  async getImportStatus(call: CallOf<typeof contract.getImportStatus>): Promise<ImportTask> {
    return taskView(await this.get(call.body.id), call.settings.admin_locale)
  }

  /** @throws AppError NOT_FOUND */
  async getImportTask(call: CallOf<typeof contract.getImportTask>): Promise<AdminImportTask> {
    return adminTaskView(await this.get(call.body.id), call.settings.admin_locale)
  }

  async listImportTasks(call: CallOf<typeof contract.listImportTasks>): Promise<Page<AdminImportTask>> {
    const page = await this.tasks.list(call.body)
    return { ...page, data: page.data.map((task) => adminTaskView(task, call.settings.admin_locale)) }
  }

  /**
   * The task ends as failed, the list stays as it is (admin.md#task-cancel).
   * @throws AppError NOT_FOUND, or CONFLICT when it has ended or is being published
   */
  async cancelImportTask(call: CallOf<typeof contract.cancelImportTask>): Promise<AdminImportTask> {
    const task = await this.get(call.body.id)
    const cancelled = await this.tasks.cancel(task, 'The import was cancelled by an administrator.')
    if (!cancelled) throw new AppError('CONFLICT', 'The import has already finished or is being published.')
    await this.versions.discard(task)
    return adminTaskView(cancelled, call.settings.admin_locale)
  }

  /**
   * Makes a new task of the same file, by the list as it is now: final states never change (admin.md#task-retry).
   * @throws AppError NOT_FOUND, RATE_LIMITED, or CONFLICT when the task has not failed, or its file is gone
   */
  async retryImportTask(call: CallOf<typeof contract.retryImportTask>): Promise<AdminImportTask> {
    const task = await this.get(call.body.id)
    if (task.status !== 'failed') throw new AppError('CONFLICT', 'Only a failed import can be retried.')
    const file = await this.files.find(task.file_id)
    if (!file) throw new AppError('CONFLICT', 'The file of the import has been deleted.')
    const list = await this.lists.find(task.price_list_id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    await this.queue.assertHasRoom(list.id)
    const { source_type, max_unpacked, created_by, merges_once } = task
    const id = await this.queue.createTask(list, file, {
      source_type,
      max_unpacked,
      // corrected rows alone must not become the whole list
      ...(merges_once && { merges_once }),
      ...((call.body.created_by ?? created_by) !== undefined && { created_by: call.body.created_by ?? created_by }),
    })
    return adminTaskView(await this.get(id), call.settings.admin_locale)
  }

  /** @throws AppError NOT_FOUND */
  async listSkippedRows(call: CallOf<typeof contract.listSkippedRows>): Promise<Page<SkippedRow>> {
    const { id, after_row, ...page } = call.body
    await this.get(id)
    return this.skippedRows.list(id, page, after_row)
  }

  /** @throws AppError NOT_FOUND */
  async describeTaskFile(
    call: CallOf<typeof contract.describeTaskFile>,
  ): Promise<ReplyOf<typeof contract.describeTaskFile>> {
    const { file_name, file_size, header, rules } = await this.get(call.body.id)
    return { file_name, size: file_size, header, delimiter: rules.format.delimiter ?? 'auto' }
  }

  /** At most 1 MiB, less at the end of the file. @throws AppError NOT_FOUND */
  async readTaskFile(call: CallOf<typeof contract.readTaskFile>): Promise<ReplyOf<typeof contract.readTaskFile>> {
    const { id, offset, length } = call.body
    const { file_id } = await this.get(id)
    return new Uint8Array(await this.files.read(file_id, offset, Math.min(length, MAX_READ_BYTES)))
  }

  private async get(id: number): Promise<ImportTaskRecord> {
    const task = await this.tasks.find(id)
    if (!task) throw new AppError('NOT_FOUND', texts.notFound)
    return task
  }
}
