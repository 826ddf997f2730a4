import { rm, stat } from 'node:fs/promises'
import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Preview } from '@partsbus/contracts/pricing-import/price-list'
import type { previewUpload as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { openPriceListReader } from '../reading/open-price-list-reader.js'
import { ReaderLimits } from '../reading/reader-limits.js'
import { ColumnsNotFound } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import { invalidFile, toCheckError } from './check-file.js'
import { CheckedUploads } from './checked-uploads.js'

@Injectable()
export class PreviewUpload {
  constructor(
    private readonly lists: PriceListStore,
    private readonly uploads: CheckedUploads,
    private readonly limits: ReaderLimits,
  ) {}

  /**
   * Reads an uploaded file with the code of an import, and imports nothing (admin.md#preview).
   * @throws AppError NOT_FOUND, INVALID_FILE with `details.reason`
   */
  async previewUpload(call: CallOf<typeof contract>): Promise<Preview> {
    const { price_list_id, ...upload } = call.body
    const list = await this.lists.find(price_list_id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    const { format, markup_percent, delivery_days } = list
    const maxFileSize = call.settings['price-lists.import.max_file_size']
    return this.uploads.withUpload(upload, maxFileSize, call.timeLeft(), async (file) => {
      try {
        return await previewFile(file, { format, markup_percent, delivery_days }, this.limits.memoryMb)
      } catch (error) {
        throw error instanceof ColumnsNotFound ? invalidFile(error.message) : toCheckError(error)
      }
    })
  }
}

export async function previewFile(file: LocalFile, rules: ReadingRules, memoryMb?: number): Promise<Preview> {
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
