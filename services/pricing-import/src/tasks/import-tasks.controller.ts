import type { AdminImportTask, ImportTask } from '@partsbus/contracts/import-task'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type { Preview, SkippedRow } from '@partsbus/contracts/price-list'
import {
  acceptUpload,
  cancelImportTask,
  describeTaskFile,
  getImportStatus,
  getImportTask,
  listImportTasks,
  listSkippedRows,
  previewUpload,
  readTaskFile,
  retryImportTask,
} from '@partsbus/contracts/pricing'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
import type { PricingImportContext } from '../context.js'
import { acceptUpload as accept } from '../uploads/accept-upload.js'
import { previewUpload as preview } from '../uploads/preview-upload.js'
import { cancelTask } from './cancel-task.js'
import { findTask } from './find-task.js'
import { readFile } from './read-file.js'
import { retryTask } from './retry-task.js'
import { showAdminTask, showTask } from './task-view.js'

/** Uploads, and the tasks that import them. */
@Controller()
export class ImportTasksController {
  private readonly ctx: PricingImportContext

  constructor(@Inject(CONTEXT) ctx: PricingImportContext) {
    this.ctx = ctx
  }

  @Handles(acceptUpload)
  accept(@Call(acceptUpload) call: CallOf<typeof acceptUpload>): Promise<{ task_id: number }> {
    return accept(this.ctx, call)
  }

  @Handles(previewUpload)
  preview(@Call(previewUpload) call: CallOf<typeof previewUpload>): Promise<Preview> {
    return preview(this.ctx, call)
  }

  @Handles(getImportStatus)
  async status(@Call(getImportStatus) call: CallOf<typeof getImportStatus>): Promise<ImportTask> {
    return showTask(await findTask(this.ctx, call.body.id), call.settings.admin_locale)
  }

  @Handles(getImportTask)
  async get(@Call(getImportTask) call: CallOf<typeof getImportTask>): Promise<AdminImportTask> {
    return showAdminTask(await findTask(this.ctx, call.body.id), call.settings.admin_locale)
  }

  @Handles(listImportTasks)
  async list(@Call(listImportTasks) call: CallOf<typeof listImportTasks>): Promise<Page<AdminImportTask>> {
    const found = await this.ctx.tasks.list(call.body)
    return { ...found, data: found.data.map((task) => showAdminTask(task, call.settings.admin_locale)) }
  }

  @Handles(cancelImportTask)
  cancel(@Call(cancelImportTask) call: CallOf<typeof cancelImportTask>): Promise<AdminImportTask> {
    return cancelTask(this.ctx, call)
  }

  @Handles(retryImportTask)
  retry(@Call(retryImportTask) call: CallOf<typeof retryImportTask>): Promise<AdminImportTask> {
    return retryTask(this.ctx, call)
  }

  @Handles(listSkippedRows)
  async skipped(@Call(listSkippedRows) call: CallOf<typeof listSkippedRows>): Promise<Page<SkippedRow>> {
    const { id, after_row, ...page } = call.body
    await findTask(this.ctx, id)
    return this.ctx.skippedRows.list(id, page, after_row)
  }

  @Handles(describeTaskFile)
  async describeFile(
    @Call(describeTaskFile) call: CallOf<typeof describeTaskFile>,
  ): Promise<ReplyOf<typeof describeTaskFile>> {
    const { file_name, file_size, header, rules } = await findTask(this.ctx, call.body.id)
    return { file_name, size: file_size, header, delimiter: rules.format.delimiter ?? 'auto' }
  }

  @Handles(readTaskFile)
  readFile(@Call(readTaskFile) call: CallOf<typeof readTaskFile>): Promise<ReplyOf<typeof readTaskFile>> {
    return readFile(this.ctx, call)
  }
}
