import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { ImportQueue } from '../import-tasks/import-queue.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { CheckedUploads } from './checked-uploads.js'

@Injectable()
export class AcceptUpload {
  constructor(
    private readonly lists: PriceListStore,
    private readonly queue: ImportQueue,
    private readonly uploads: CheckedUploads,
  ) {}

  /**
   * Stores an uploaded file and creates its import task (partners.md#upload). Both are durable when this returns.
   * @throws AppError NOT_FOUND, INACTIVE_LIST, RATE_LIMITED, INVALID_FILE with `details.reason`, STORE_FAILED
   */
  async acceptUpload(call: CallOf<typeof contract.acceptUpload>): Promise<{ task_id: number }> {
    const { price_list_id, ...upload } = call.body
    const { 'price-lists.import.max_file_size': maxFileSize } = call.settings
    const list = await this.lists.find(price_list_id)
    try {
      if (!list) throw new AppError('NOT_FOUND', texts.notFound)
      if (!list.is_active) throw new AppError('INACTIVE_LIST', 'Price list is not active.')
      await this.queue.assertHasRoom(price_list_id)
    } catch (error) {
      this.uploads.drop(upload.object)
      throw error
    }
    return this.uploads.withUpload(upload, maxFileSize, call.timeLeft(), async (file) => {
      const stored = await this.queue.storeFile(file)
      const origin = { source_type: 'manual', max_unpacked: file.maxUnpacked } as const
      return { task_id: await this.queue.createTask(list, stored, origin) }
    })
  }
}
