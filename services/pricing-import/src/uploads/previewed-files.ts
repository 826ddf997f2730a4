import { Injectable } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import type { RequestOf } from '@partsbus/contracts/message'
import type * as contract from '@partsbus/contracts/pricing-import/commands'
import { contractViolation } from '@partsbus/contracts/violation'
import { FileStore, type StoredFile } from '../files/file-store.js'
import type { LocalFile } from '../files/local-file.js'
import { ImportQueue } from '../import-tasks/import-queue.js'
import { TaskStore } from '../import-tasks/task-store.js'
import { noLongerKept } from './check-file.js'

/** Files that can be previewed again. */
@Injectable()
export class PreviewedFiles {
  constructor(
    private readonly files: FileStore,
    private readonly tasks: TaskStore,
    private readonly queue: ImportQueue,
  ) {}

  /** Stores a file for an hour. @throws AppError STORE_FAILED */
  keep(file: LocalFile, keptFor: number | undefined): Promise<StoredFile> {
    return this.queue.storeFile(file, keptFor)
  }

  /** @throws AppError CONTRACT_VIOLATION for an unknown task, CONFLICT when the file is no longer kept */
  async find(name: RequestOf<typeof contract.previewStored>['file']): Promise<StoredFile> {
    if ('preview_id' in name) {
      const previewed = await this.files.findPreviewed(name.preview_id)
      if (!previewed) throw noLongerKept()
      return previewed
    }
    const task = await this.tasks.find(name.task_id)
    if (!task) throw contractViolation({ 'file.task_id': ['The selected task_id is invalid.'] }, 'exists')
    const stored = await this.files.get(task.file_id)
    if (!stored) throw new AppError('CONFLICT', 'The file of the import has been deleted.')
    return stored
  }
}
