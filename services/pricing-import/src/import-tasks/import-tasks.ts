import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { AdminImportTask, ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { parseInstant } from '@partsbus/contracts/instant'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import { FileNotFound } from '@partsbus/file-store/file-driver'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FileStore } from '../files/file-store.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { VersionCleanup } from '../versions/version-cleanup.js'
import { DescribeTasks } from './describe-tasks.js'
import { ImportQueue } from './import-queue.js'
import type { ImportTaskRecord } from './import-task-record.js'
import { showSkipped } from './skipped-row.js'
import { type SkippedRowFilter, SkippedRowStore } from './skipped-row-store.js'
import { TaskStore } from './task-store.js'
import { taskView } from './task-view.js'

const MAX_READ_BYTES = 1024 * 1024

/** admin.md#import-tasks, partners.md#status */
@Controller()
export class ImportTasks {
  constructor(
    private readonly tasks: TaskStore,
    private readonly skippedRows: SkippedRowStore,
    private readonly lists: PriceListStore,
    private readonly files: FileStore,
    private readonly queue: ImportQueue,
    private readonly versions: VersionCleanup,
    private readonly descriptions: DescribeTasks,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getImportStatus)
  async getImportStatus(call: CallOf<typeof contract.getImportStatus>): Promise<ImportTask> {
    return taskView(await this.get(call.body.id), call.settings.admin_locale)
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getImportTask)
  async getImportTask(call: CallOf<typeof contract.getImportTask>): Promise<AdminImportTask> {
    return this.describe(await this.get(call.body.id), call.settings)
  }

  @Handles(contract.listImportTasks)
  async listImportTasks(call: CallOf<typeof contract.listImportTasks>): Promise<Page<AdminImportTask>> {
    const { status, statuses = status && [status], from, to, ...rest } = call.body
    const page = await this.tasks.list({
      ...rest,
      statuses,
      from: from === undefined ? undefined : parseInstant(from),
      to: to === undefined ? undefined : parseInstant(to),
    })
    return { ...page, data: await this.descriptions.describeAll(page.data, call.settings) }
  }

  /**
   * The task ends as failed, the list stays as it is (admin.md#task-cancel).
   * @throws AppError NOT_FOUND, or CONFLICT when it has ended or is being published
   */
  @Handles(contract.cancelImportTask)
  async cancelImportTask(call: CallOf<typeof contract.cancelImportTask>): Promise<AdminImportTask> {
    const task = await this.get(call.body.id)
    const cancelled = await this.tasks.cancel(task, {
      code: 'CANCELLED',
      message: 'The import was cancelled by an administrator.',
    })
    if (!cancelled) throw new AppError('CONFLICT', 'The import has already finished or is being published.')
    await this.versions.discard(task)
    return this.describe(cancelled, call.settings)
  }

  /**
   * Makes a new task of the same file, with the present settings of the list: final states never change
   * (admin.md#task-retry).
   * @throws AppError NOT_FOUND, RATE_LIMITED, or CONFLICT when the task has not failed, or its file is gone
   */
  @Handles(contract.retryImportTask)
  async retryImportTask(call: CallOf<typeof contract.retryImportTask>): Promise<AdminImportTask> {
    const task = await this.get(call.body.id)
    if (task.status !== 'failed') throw new AppError('CONFLICT', 'Only a failed import can be retried.')
    const file = await this.files.get(task.file_id)
    if (!file) throw new AppError('CONFLICT', 'The file of the import has been deleted.')
    const list = await this.lists.find(task.price_list_id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    await this.queue.assertHasRoom(list.id)
    const { source_type, max_unpacked, created_by, merges_once } = task
    const id = await this.queue.createTask(list, file, {
      source_type,
      max_unpacked,
      retry_of: task.id,
      // corrected rows alone must not become the whole list
      ...(merges_once && { merges_once }),
      ...((call.body.created_by ?? created_by) !== undefined && { created_by: call.body.created_by ?? created_by }),
    })
    return this.describe(await this.get(id), call.settings)
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.listSkippedRows)
  async listSkippedRows(
    call: CallOf<typeof contract.listSkippedRows>,
  ): Promise<ReplyOf<typeof contract.listSkippedRows>> {
    const { id, ...wanted } = call.body
    const task = await this.get(id)
    const { data, ...page } = await this.skippedRows.list(id, wanted)
    const rows = { ...page, data: data.map((row) => showSkipped(row, call.settings.admin_locale, task.sheets)) }
    const total = countSkipped(task, wanted) ?? (await this.skippedRows.count(id, wanted))
    return { ...rows, total, header: task.header }
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.describeTaskFile)
  async describeTaskFile(
    call: CallOf<typeof contract.describeTaskFile>,
  ): Promise<ReplyOf<typeof contract.describeTaskFile>> {
    const { file_name, file_size, header, rules } = await this.get(call.body.id)
    return { file_name, size: file_size, header, delimiter: rules.format.delimiter ?? 'auto' }
  }

  /** At most 1 MiB, less at the end of the file. @throws AppError NOT_FOUND, also when the file is gone */
  @Handles(contract.readTaskFile)
  async readTaskFile(call: CallOf<typeof contract.readTaskFile>): Promise<ReplyOf<typeof contract.readTaskFile>> {
    const { id, offset, length } = call.body
    const { file_id } = await this.get(id)
    const bytes = await this.files.read(file_id, offset, Math.min(length, MAX_READ_BYTES)).catch((error: unknown) => {
      throw error instanceof FileNotFound ? new AppError('NOT_FOUND', texts.notFound) : error
    })
    return new Uint8Array(bytes)
  }

  private async describe(task: ImportTaskRecord, settings: CallSettings): Promise<AdminImportTask> {
    const [view] = await this.descriptions.describeAll([task], settings)
    if (!view) throw new AppError('NOT_FOUND', texts.notFound)
    return view
  }

  private async get(id: number): Promise<ImportTaskRecord> {
    const task = await this.tasks.find(id)
    if (!task) throw new AppError('NOT_FOUND', texts.notFound)
    return task
  }
}

/** The number of skipped rows, where the task knows it: it has completed, and was imported by this version. */
function countSkipped(
  { status, skipped_rows, skipped_by_code }: ImportTaskRecord,
  { code, correctable = false }: SkippedRowFilter,
): number | undefined {
  if (status !== 'completed') return undefined
  if (skipped_rows === 0) return 0
  if (correctable) return undefined
  if (code === undefined) return skipped_rows
  return (skipped_by_code as Record<string, number> | undefined)?.[code]
}
