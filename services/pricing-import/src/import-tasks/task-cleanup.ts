import { Inject, Injectable } from '@nestjs/common'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { FileStore } from '../files/file-store.js'
import { SkippedRowStore } from './skipped-row-store.js'
import { TaskStore } from './task-store.js'

const DAY_MS = 86_400_000

/** Deletes tasks with their files and skipped rows. */
@Injectable()
export class TaskCleanup {
  constructor(
    private readonly tasks: TaskStore,
    private readonly skippedRows: SkippedRowStore,
    private readonly files: FileStore,
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Deletes a task with its skipped rows, and its file unless another task has the same one. */
  async deleteTask(task: { id: number; file_id: number }): Promise<void> {
    await this.skippedRows.delete(task.id)
    // the task goes last, so that an interrupted deletion is repeated
    const isUsed = (): Promise<boolean> => this.tasks.isFileUsed(task.file_id, task.id)
    if (!(await isUsed())) await this.files.deleteUnless(isUsed, { id: task.file_id })
    await this.tasks.delete(task.id)
  }

  /**
   * Deletes tasks that ended longer ago than the setting `retention_days` is now (rules.md#retention). Tasks carry no
   * expiry date of their own, so that a changed setting applies to existing ones.
   * @throws AppError UNAVAILABLE while no gateway can answer with the setting
   */
  async deleteOverdue(): Promise<void> {
    const { retention_days } = await this.calls.request(currentSettings, {})
    for (const task of await this.tasks.endedFor(retention_days * DAY_MS))
      await this.orLog(task.file_id, () => this.deleteTask(task))
  }

  /** Deletes files that killed processes left without a task. */
  async deleteUnusedFiles(): Promise<void> {
    for (const file of await this.files.listUnused())
      await this.orLog(file.id, async () => {
        const isUsed = (): Promise<boolean> => this.tasks.isFileUsed(file.id)
        if (await isUsed()) await this.files.markUsed(file.id)
        else await this.files.deleteUnless(isUsed, file)
      })
  }

  /** One file that cannot be deleted does not keep the others from being deleted. */
  private async orLog(file: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      this.log.warn({ err: error, file }, 'price file not deleted')
    }
  }
}
