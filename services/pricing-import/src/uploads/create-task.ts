import { AppError, texts } from '@partsbus/contracts/errors'
import type { ImportTask } from '@partsbus/contracts/import-task'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { PricingImportContext } from '../context.js'
import { FileGone, FilesAway } from '../files/file-driver.js'
import type { LocalFile } from '../files/local-file.js'
import type { StoredFile } from '../files/file-store.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { storeFailed } from './check-file.js'

/** Of a file: how it came, and what it may unpack to. */
export interface Origin {
  source_type: ImportTask['source_type']
  max_unpacked: number
}

/** Keeps a checked file. @throws AppError STORE_FAILED, or UNAVAILABLE while the database is away */
export async function keepFile(ctx: PricingImportContext, file: LocalFile): Promise<StoredFile> {
  try {
    return await ctx.files.keep(file.path, file.name)
  } catch (error) {
    const known = toAppError(error)
    throw known.code === 'INTERNAL' || known instanceof FilesAway ? storeFailed(error) : known
  }
}

/**
 * Makes the task that imports a kept file and tells a worker. When it returns, the task is durable.
 * @returns its id
 * @throws AppError NOT_FOUND when the list was deleted meanwhile, STORE_FAILED when the file was
 */
export async function createTask(
  ctx: PricingImportContext,
  list: PriceListRecord,
  file: Pick<StoredFile, 'id' | 'name' | 'size'>,
  origin: Origin,
): Promise<number> {
  const id = await ctx.counters.allocate('import_tasks', 1)
  const { format, markup_percent, delivery_days, mode, min_rows_ratio } = list
  await ctx.tasks.insert({
    id,
    price_list_id: list.id,
    file_id: file.id,
    file_name: file.name,
    file_size: file.size,
    rules: { format, markup_percent, delivery_days },
    mode,
    min_rows_ratio,
    request_id: currentScope()?.requestId ?? '',
    ...origin,
  })
  const isKept = await ctx.files.use(file.id)
  // a deletion that did not see the task has hidden the list by now
  if (isKept && (await ctx.lists.find(list.id))) {
    ctx.nudges.send(id)
    return id
  }
  await ctx.tasks.delete(id)
  throw isKept ? new AppError('NOT_FOUND', texts.notFound) : storeFailed(new FileGone(String(file.id)))
}
