import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import { FileNotFound } from '@partsbus/file-store/file-driver'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FileStore } from '../files/file-store.js'
import { ImportQueue, type Origin } from '../import-tasks/import-queue.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { inLocale, noLongerKept, UNPACKED_RATIO } from './check-file.js'
import { CheckedUploads } from './checked-uploads.js'

/** Creates import tasks of files that people sent. */
@Controller()
export class AcceptUpload {
  constructor(
    private readonly lists: PriceListStore,
    private readonly queue: ImportQueue,
    private readonly uploads: CheckedUploads,
    private readonly files: FileStore,
  ) {}

  /**
   * Stores an uploaded file and creates its import task. Both are durable when this returns (partners.md#upload-3).
   * @throws AppError NOT_FOUND, INACTIVE_LIST, RATE_LIMITED, INVALID_FILE with `details.reason`, STORE_FAILED
   */
  @Handles(contract.acceptUpload)
  async acceptUpload(call: CallOf<typeof contract.acceptUpload>): Promise<{ task_id: number }> {
    const { price_list_id, mode, created_by, ...sent } = call.body
    const upload = { ...sent, isOfPartner: created_by === undefined }
    const { 'price-lists.import.max_file_size': maxFileSize } = call.settings
    const list = await this.admittedList(price_list_id).catch((error: unknown) => {
      this.uploads.drop(upload.object)
      throw error
    })
    try {
      return await this.uploads.withUpload(upload, maxFileSize, call.timeLeft(), async (file) => {
        const stored = await this.queue.storeFile(file)
        return { task_id: await this.queue.createTask(list, stored, manual(file.maxUnpacked, mode, created_by)) }
      })
    } catch (error) {
      throw inLocale(error, call.settings.admin_locale)
    }
  }

  /**
   * Creates the import task of a previewed file (admin.md#upload-previewed): the very bytes that were shown.
   * @throws AppError NOT_FOUND, INACTIVE_LIST, RATE_LIMITED, CONFLICT when the file is no longer kept
   */
  @Handles(contract.acceptPreviewed)
  async acceptPreviewed(call: CallOf<typeof contract.acceptPreviewed>): Promise<{ task_id: number }> {
    const { price_list_id, preview_id, mode, created_by } = call.body
    const maxUnpacked = call.settings['price-lists.import.max_file_size'] * UNPACKED_RATIO
    const list = await this.admittedList(price_list_id)
    const stored = await this.files.findPreviewed(preview_id)
    if (!stored) throw noLongerKept()
    try {
      return { task_id: await this.queue.createTask(list, stored, manual(maxUnpacked, mode, created_by)) }
    } catch (error) {
      // swept since it was found
      throw error instanceof AppError && error.cause instanceof FileNotFound ? noLongerKept() : error
    }
  }

  /** @throws AppError NOT_FOUND, INACTIVE_LIST, RATE_LIMITED */
  private async admittedList(id: number): Promise<PriceListRecord> {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    if (!list.is_active) throw new AppError('INACTIVE_LIST', 'Price list is not active.')
    await this.queue.assertHasRoom(id)
    return list
  }
}

/** With `mode: "merge"` this import merges into the list, whatever the mode of the list (admin.md#upload-merge). */
function manual(max_unpacked: number, mode: 'merge' | undefined, createdBy = 'partner'): Origin {
  return { source_type: 'manual', created_by: createdBy, max_unpacked, merges_once: mode === 'merge' }
}
