import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder, requireDiskSpace } from '../files/work-folder.js'
import { checkFile, checkSize, invalidFile, storeFailed, UNPACKED_RATIO } from './check-file.js'

/** A file that the gateway keeps for this service. */
export interface Upload {
  object: string
  file_name: string
  /** bytes */
  size: number
}

/**
 * Takes an upload over from the gateway, checks it, and passes it on as a local file. Upload and file are removed
 * afterwards. Only a few uploads are on this disk and in readers at a time; the others wait where the gateway put them.
 * @param timeLeftMs how long the caller waits
 * @throws AppError INVALID_FILE, STORE_FAILED when it cannot be fetched, or TIMEOUT when its turn does not come in time
 */
export async function withUpload<T>(
  ctx: PricingImportContext,
  upload: Upload,
  maxFileSize: number,
  timeLeftMs: number,
  work: (file: LocalFile) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new AppError('TIMEOUT', texts.timeout)), timeLeftMs)
  try {
    checkSize(upload.size, maxFileSize)
    return await ctx.checks.run(limit.signal, () => takeOver(ctx, upload, maxFileSize, work))
  } catch (error) {
    const { file_name, size } = upload
    if (error instanceof AppError && error.code === 'INVALID_FILE')
      ctx.parts.log.info({ file_name, size, details: error.details }, 'upload refused')
    if (error instanceof AppError && error.code === 'STORE_FAILED')
      ctx.parts.log.error({ file_name, size, err: error.cause }, 'upload not stored')
    throw error
  } finally {
    clearTimeout(timer)
    ctx.uploads.drop(upload.object)
  }
}

async function takeOver<T>(
  ctx: PricingImportContext,
  upload: Upload,
  maxFileSize: number,
  work: (file: LocalFile) => Promise<T>,
): Promise<T> {
  const folder = await orStoreFailed(makeFolder())
  try {
    await orStoreFailed(requireDiskSpace(folder, upload.size))
    const fetched = await orStoreFailed(ctx.uploads.fetch(upload.object, join(folder, 'file')))
    if (!fetched) throw invalidFile('The uploaded bytes are no longer there.')
    checkSize(fetched.size, maxFileSize)
    const file = { path: fetched.path, name: upload.file_name, maxUnpacked: maxFileSize * UNPACKED_RATIO }
    await checkFile(file, ctx.readerMemoryMb)
    return await work(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function orStoreFailed<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw storeFailed(error)
  })
}
