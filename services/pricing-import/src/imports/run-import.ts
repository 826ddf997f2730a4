import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { PriceFileError, ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import type { PricingImportContext } from '../context.js'
import { FilesAway } from '../files/file-driver.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { openPriceListReader, type PriceListReader } from '../reading/price-list-reader.js'
import { NoLayout } from '../rows/layout.js'
import type { ImportTaskRecord } from '../tasks/import-task-record.js'
import { discardVersion } from './discard-version.js'
import { ImportFailure } from './import-failure.js'
import { importPriceList } from './import-price-list.js'
import { ImportLease, LostImport, StoppedImport } from './import-lease.js'

/** Attempts without a written row before a task counts as poison; with the one that got on that is five. */
const MAX_TRIES = 4
const AWAY_MS = 5_000
const BACK_OFF_MS = [1_000, 2_000, 10_000, 30_000]

/** Errors of the file system and of process limits that pass by. */
const SYSTEM_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EROFS', 'EACCES', 'EIO'])

/** Runs a claimed import to its end, whatever that is. @param stop the process is stopping */
export async function runImport(
  ctx: PricingImportContext,
  task: ImportTaskRecord,
  owner: string,
  stop: AbortSignal,
): Promise<void> {
  const lease = new ImportLease(ctx, task, owner, stop)
  try {
    if (task.tries > MAX_TRIES)
      throw new ImportFailure(`Import failed: ${MAX_TRIES} consecutive attempts made no progress.`)
    ctx.parts.log.info(
      { task: task.id, list: task.price_list_id, attempt: task.attempt, file_size: task.file_size },
      'import started',
    )
    await withFile(ctx, lease, (file, reader) => importPriceList(ctx, lease, file, reader))
    ctx.parts.log.info({ task: task.id, list: task.price_list_id }, 'import completed')
  } catch (error) {
    await settle(ctx, lease, error)
  } finally {
    await lease.release()
  }
}

async function withFile(
  ctx: PricingImportContext,
  lease: ImportLease,
  work: (file: LocalFile, reader: PriceListReader) => Promise<void>,
): Promise<void> {
  const { file_id, file_name, file_size, max_unpacked } = lease.task
  const folder = await makeFolder()
  let reader: PriceListReader | undefined
  try {
    // the child process of a large file starts while the file is fetched
    reader = await openPriceListReader(file_name, file_size, folder, ctx.readerMemoryMb)
    const path = join(folder, 'file')
    await lease.retryWhileDbDown(() => ctx.files.copyTo(file_id, path))
    await work({ path, name: file_name, maxUnpacked: max_unpacked }, reader)
  } finally {
    await reader?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function settle(ctx: PricingImportContext, lease: ImportLease, error: unknown): Promise<void> {
  const { task } = lease
  if (error instanceof LostImport) return
  try {
    if (error instanceof StoppedImport) return await ctx.tasks.giveBack(task, 0, false)
    if (isFinal(error, task)) return await fail(ctx, lease, error.message)
    ctx.parts.log.error({ err: error, task: task.id, attempt: task.attempt }, 'import attempt failed')
    // an outage says nothing about the file
    if (isOutage(error)) return await ctx.tasks.giveBack(task, AWAY_MS, false)
    await ctx.tasks.giveBack(task, BACK_OFF_MS[task.tries - 1] ?? 30_000, true)
  } catch (failure) {
    // the lease runs out, and another attempt is made
    if (!(failure instanceof LostImport))
      ctx.parts.log.warn({ err: failure, task: task.id }, 'import outcome not saved')
  }
}

/** Whether something other than the file is to blame, like a disk that is full. */
function isOutage(error: unknown): boolean {
  if (error instanceof FilesAway || error instanceof ReaderUnavailable || isDatabaseDown(error)) return true
  return error instanceof Error && 'code' in error && SYSTEM_ERRORS.has(String(error.code))
}

/** A reader that was killed may have met a shortage of memory that others caused: it gets a second attempt. */
function isFinal(error: unknown, task: ImportTaskRecord): error is Error {
  if (error instanceof PriceFileError) return error.problem !== 'READER_KILLED' || task.tries > 1
  return error instanceof ImportFailure || error instanceof NoLayout
}

async function fail(ctx: PricingImportContext, lease: ImportLease, message: string): Promise<void> {
  const { id, price_list_id } = lease.task
  ctx.parts.log.info({ task: id, list: price_list_id, reason: message }, 'import failed')
  await lease.fencedWrite(() => ctx.tasks.end(lease.task, { status: 'failed', error_message: message }))
  await discardVersion(ctx, lease.task)
}
