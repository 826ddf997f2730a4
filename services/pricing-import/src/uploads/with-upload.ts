import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { checkFile, checkSize, invalidFile, storeFailed, UNPACKED_RATIO } from './check-file.js'

/** A file that the gateway keeps for this service. */
export interface Upload {
  object: string
  file_name: string
  /** bytes */
  size: number
}

/**
 * Takes an upload over from the gateway, checks it, and hands it over as a file of this machine; object and file are gone afterwards.
 * @param timeLeftMs how long the caller waits
 * @throws AppError INVALID_FILE, STORE_FAILED when it cannot be taken out, or TIMEOUT when its turn to be checked does not come in time
 */
export async function withUpload<T>(
  ctx: PricingImportContext,
  upload: Upload,
  maxFileSize: number,
  timeLeftMs: number,
  work: (file: LocalFile) => Promise<T>,
): Promise<T> {
  let folder: string | undefined
  try {
    checkSize(upload.size, maxFileSize)
    const fresh = await makeFolder().catch((error: unknown) => {
      throw storeFailed(error)
    })
    folder = fresh
    const fetched = await ctx.uploads.fetch(upload.object, join(fresh, 'file')).catch((error: unknown) => {
      throw storeFailed(error)
    })
    if (!fetched) throw invalidFile('The uploaded bytes are no longer there.')
    checkSize(fetched.size, maxFileSize)
    const file = { path: fetched.path, name: upload.file_name, maxUnpacked: maxFileSize * UNPACKED_RATIO }
    await inTurn(ctx, timeLeftMs, () => checkFile(file))
    return await work(file)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_FILE')
      ctx.parts.log.info({ file_name: upload.file_name, size: upload.size, details: error.details }, 'upload refused')
    if (error instanceof AppError && error.code === 'STORE_FAILED')
      ctx.parts.log.error({ file_name: upload.file_name, size: upload.size, err: error.cause }, 'upload not stored')
    throw error
  } finally {
    ctx.uploads.drop(upload.object)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** A check is a process of its own, so only a few run at a time. */
async function inTurn(ctx: PricingImportContext, limitMs: number, work: () => Promise<void>): Promise<void> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new AppError('TIMEOUT', texts.timeout)), limitMs)
  try {
    await ctx.checks.run(limit.signal, work)
  } finally {
    clearTimeout(timer)
  }
}
