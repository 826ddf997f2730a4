import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { PricingImportContext } from '../context.js'
import { FilesAway } from '../files/file-driver.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder } from '../files/work-folder.js'
import { CagedRows } from '../reading/caged-rows.js'
import { NoLayout } from '../rows/layout.js'
import type { ImportTaskRecord } from '../tasks/import-task-record.js'
import { discardVersion } from './discard-version.js'
import { ImportFailure } from './import-failure.js'
import { importPriceList } from './import-price-list.js'
import { ListHold, LostImport, StoppedImport } from './list-hold.js'

/** Attempts without a written row before a task counts as poison; with the one that got on that is five. */
const MAX_TRIES = 4
const AWAY_MS = 5_000
const BACK_OFF_MS = [1_000, 2_000, 10_000, 30_000]

/** Runs a claimed import to its end, whatever that is. @param stop the process is stopping */
export async function runImport(
  ctx: PricingImportContext,
  task: ImportTaskRecord,
  owner: string,
  stop: AbortSignal,
): Promise<void> {
  const hold = new ListHold(ctx, task, owner, stop)
  try {
    if (task.tries > MAX_TRIES)
      throw new ImportFailure(`Import failed: ${MAX_TRIES} consecutive attempts made no progress.`)
    ctx.parts.log.info(
      { task: task.id, list: task.price_list_id, attempt: task.attempt, file_size: task.file_size },
      'import started',
    )
    await withFile(ctx, hold, (file, rows) => importPriceList(ctx, hold, file, rows))
    ctx.parts.log.info({ task: task.id, list: task.price_list_id }, 'import completed')
  } catch (error) {
    await settle(ctx, hold, error)
  } finally {
    await hold.release()
  }
}

/** The child starts while the file is fetched. */
async function withFile(
  ctx: PricingImportContext,
  hold: ListHold,
  work: (file: LocalFile, rows: CagedRows) => Promise<void>,
): Promise<void> {
  const { file_id, file_name, max_unpacked } = hold.task
  const folder = await makeFolder()
  let rows: CagedRows | undefined
  try {
    rows = await CagedRows.open()
    const path = join(folder, 'file')
    await hold.reach(() => ctx.files.copyTo(file_id, path))
    await work({ path, name: file_name, maxUnpacked: max_unpacked }, rows)
  } finally {
    await rows?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function settle(ctx: PricingImportContext, hold: ListHold, error: unknown): Promise<void> {
  const { task } = hold
  if (error instanceof LostImport) return
  try {
    if (error instanceof StoppedImport) return await ctx.tasks.giveBack(task, 0, false)
    if (isFinal(error, task)) return await fail(ctx, hold, error.message)
    ctx.parts.log.error({ err: error, task: task.id, attempt: task.attempt }, 'import attempt failed')
    // an outage says nothing about the file
    if (error instanceof FilesAway || isDatabaseDown(error)) return await ctx.tasks.giveBack(task, AWAY_MS, false)
    await ctx.tasks.giveBack(task, BACK_OFF_MS[task.tries - 1] ?? 30_000, true)
  } catch (failure) {
    // the lease runs out, and another attempt is made
    if (!(failure instanceof LostImport))
      ctx.parts.log.warn({ err: failure, task: task.id }, 'import outcome not saved')
  }
}

/** A reader that was killed may have met a shortage of memory that others caused: it gets a second attempt. */
function isFinal(error: unknown, task: ImportTaskRecord): error is Error {
  if (error instanceof PriceFileError) return error.problem !== 'READER_KILLED' || task.tries > 1
  return error instanceof ImportFailure || error instanceof NoLayout
}

async function fail(ctx: PricingImportContext, hold: ListHold, message: string): Promise<void> {
  const { id, price_list_id } = hold.task
  ctx.parts.log.info({ task: id, list: price_list_id, reason: message }, 'import failed')
  await hold.must(() => ctx.tasks.end(hold.task, { status: 'failed', error_message: message }))
  await discardVersion(ctx, hold.task)
}
