import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/open-rows.js'
import { checkFile, checkSize, invalidFile, UNPACKED_RATIO } from './check-file.js'

/** A file in the bucket `uploads`. */
export interface Upload {
  object: string
  file_name: string
  /** bytes */
  size: number
}

/** The text that the B2B document words. */
export function storeFailed(cause: unknown): AppError {
  return new AppError('STORE_FAILED', 'Failed to store uploaded file.', { cause })
}

/**
 * Takes an upload out of the bucket, checks it, and hands it over as a file of this machine; object and file are gone afterwards.
 * @throws AppError INVALID_FILE, or STORE_FAILED when it cannot be taken out
 */
export async function withUpload<T>(ctx: PricingImportContext, upload: Upload, maxFileSize: number, work: (file: LocalFile) => Promise<T>): Promise<T> {
  let folder: string | undefined
  try {
    checkSize(upload.size, maxFileSize)
    const fresh = await mkdtemp(join(tmpdir(), 'partsbus-upload-')).catch((error: unknown) => { throw storeFailed(error) })
    folder = fresh
    const file = { path: join(fresh, 'file'), name: upload.file_name, maxUnpacked: maxFileSize * UNPACKED_RATIO }
    const size = await ctx.bucket.copyTo(upload.object, file.path).catch((error: unknown) => { throw storeFailed(error) })
    if (size === undefined) throw invalidFile('The uploaded bytes are no longer there.')
    checkSize(size, maxFileSize)
    await checkFile(file)
    return await work(file)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_FILE') ctx.parts.log.info({ file_name: upload.file_name, size: upload.size, details: error.details }, 'upload refused')
    throw error
  } finally {
    ctx.bucket.drop(upload.object)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}
