import { rm, stat } from 'node:fs/promises'
import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Preview, PreviewDraft } from '@partsbus/contracts/pricing-import/preview'
import type * as contract from '@partsbus/contracts/pricing-import/commands'
import type { RequestOf } from '@partsbus/contracts/message'
import { contractViolation } from '@partsbus/contracts/violation'
import { FileNotFound } from '@partsbus/file-store/file-driver'
import type { CallOf } from '@partsbus/platform/bus/call'
import { FileStore, type StoredFile } from '../files/file-store.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { ImportQueue } from '../import-tasks/import-queue.js'
import { TaskStore } from '../import-tasks/task-store.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { openPriceListReader } from '../reading/open-price-list-reader.js'
import type { FilePreview } from '../reading/preview-rows.js'
import { ReaderLimits } from '../reading/reader-limits.js'
import type { ReadingRules } from '../rows/row-reader.js'
import { hasEnoughRows, liveRows } from '../versions/enough-rows.js'
import { invalidFile, noLongerKept, toCheckError } from './check-file.js'
import { CheckedUploads } from './checked-uploads.js'

/** Reads files with the code of an import, and imports nothing (admin.md#preview). */
@Injectable()
export class PreviewUpload {
  constructor(
    private readonly lists: PriceListStore,
    private readonly uploads: CheckedUploads,
    private readonly files: FileStore,
    private readonly tasks: TaskStore,
    private readonly queue: ImportQueue,
    private readonly limits: ReaderLimits,
  ) {}

  /**
   * Previews an uploaded file and keeps it for an hour.
   * @throws AppError NOT_FOUND, INVALID_FILE with `details.reason`, STORE_FAILED
   */
  async previewUpload(call: CallOf<typeof contract.previewUpload>): Promise<Preview> {
    const { price_list_id, draft, ...upload } = call.body
    const list = await this.findList(price_list_id)
    const maxFileSize = call.settings['price-lists.import.max_file_size']
    return this.uploads.withUpload(upload, maxFileSize, call.timeLeft(), async (file) => {
      const read = await this.read(file, list, draft)
      return describe(list, await this.queue.storeFile(file), read)
    })
  }

  /**
   * Previews a stored file (admin.md#preview-stored): one that was previewed, which is kept for another hour, or that
   * of an import.
   * @throws AppError as {@link previewUpload}; CONTRACT_VIOLATION for an unknown task, CONFLICT when its file, or the
   * previewed one, is no longer kept
   */
  async previewStored(call: CallOf<typeof contract.previewStored>): Promise<Preview> {
    const { price_list_id, file: name, draft } = call.body
    const list = await this.findList(price_list_id)
    const stored = await this.findFile(name)
    const maxFileSize = call.settings['price-lists.import.max_file_size']
    try {
      return await this.uploads.withStoredFile(stored, maxFileSize, call.timeLeft(), async (file) =>
        describe(list, stored, await this.read(file, list, draft)),
      )
    } catch (error) {
      throw error instanceof FileNotFound ? noLongerKept() : error
    }
  }

  private async findList(id: number): Promise<PriceListRecord> {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    return list
  }

  private async findFile(name: RequestOf<typeof contract.previewStored>['file']): Promise<StoredFile> {
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

  /** With a draft, a format that does not fit is a result, not an error (admin.md#preview-draft). */
  private async read(file: LocalFile, list: PriceListRecord, draft: PreviewDraft | undefined): Promise<FilePreview> {
    const { format, markup_percent, delivery_days } = list
    const rules = { format, markup_percent, delivery_days, ...withoutAbsent(draft ?? {}) }
    const read = await previewFile(file, rules, this.limits.memoryMb).catch((error: unknown) => {
      throw toCheckError(error)
    })
    if (read.problem && !draft) throw invalidFile(read.problem.message)
    return read
  }
}

function describe(list: PriceListRecord, { key, name, size }: StoredFile, read: FilePreview): Preview {
  const live_rows = liveRows(list)
  return { ...read, preview_id: key, file: { name, size }, live_rows, guard: guard(list, read.totals.importable) }
}

/** A merge adds to the live offers, so it always passes. */
function guard(list: PriceListRecord, rows: number): Preview['guard'] {
  if (list.min_rows_ratio === null) return 'off'
  return list.mode === 'merge' || hasEnoughRows(rows, liveRows(list), list.min_rows_ratio) ? 'passes' : 'fails'
}

function withoutAbsent({ format, markup_percent, delivery_days }: PreviewDraft): Partial<ReadingRules> {
  return {
    ...(format !== undefined && { format }),
    ...(markup_percent !== undefined && { markup_percent }),
    ...(delivery_days !== undefined && { delivery_days }),
  }
}

export async function previewFile(file: LocalFile, rules: ReadingRules, memoryMb?: number): Promise<FilePreview> {
  const { size } = await stat(file.path)
  const folder = await makeFolder()
  try {
    const reader = await openPriceListReader(file.name, size, folder, memoryMb)
    try {
      return await reader.preview(file, rules)
    } finally {
      await reader.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
