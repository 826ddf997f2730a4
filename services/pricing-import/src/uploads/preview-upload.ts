import { rm, stat } from 'node:fs/promises'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { Preview } from '@partsbus/contracts/price-list'
import type { previewUpload as contract } from '@partsbus/contracts/pricing'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { openPriceListReader } from '../reading/price-list-reader.js'
import { NoLayout } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import { invalidFile, toCheckError } from './check-file.js'
import { withUpload } from './with-upload.js'

/**
 * Reads an uploaded file by the very code of an import, and imports nothing (admin.md#preview).
 * @throws AppError NOT_FOUND, INVALID_FILE with `details.reason`
 */
export async function previewUpload(ctx: PricingImportContext, call: CallOf<typeof contract>): Promise<Preview> {
  const { price_list_id, ...upload } = call.body
  const list = await ctx.lists.find(price_list_id)
  if (!list) throw new AppError('NOT_FOUND', texts.notFound)
  const { format, markup_percent, delivery_days } = list
  return withUpload(ctx, upload, call.settings['price-lists.import.max_file_size'], call.timeLeft(), async (file) => {
    try {
      return await previewFile(file, { format, markup_percent, delivery_days }, ctx.readerMemoryMb)
    } catch (error) {
      throw error instanceof NoLayout ? invalidFile(error.message) : toCheckError(error)
    }
  })
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
