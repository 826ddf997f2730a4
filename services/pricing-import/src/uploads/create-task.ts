import { AppError, texts } from '@partsbus/contracts/errors'
import type { ImportTask } from '@partsbus/contracts/import-task'
import { toAppError } from '@partsbus/platform/failure'
import type { PricingImportContext } from '../context.js'
import type { LocalFile } from '../files/open-rows.js'
import type { StoredFile } from '../files/file-store.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { storeFailed } from './with-upload.js'

/** The task of a file: how it came, and how long it is kept. */
export interface Origin {
  source_type: ImportTask['source_type']
  retention_days: number
  max_unpacked: number
}

/** Keeps a checked file. @throws AppError STORE_FAILED, or UNAVAILABLE while the database is away */
export async function keepFile(ctx: PricingImportContext, file: LocalFile): Promise<StoredFile> {
  try {
    return await ctx.files.keep(file.path, file.name)
  } catch (error) {
    const known = toAppError(error)
    throw known.code === 'INTERNAL' ? storeFailed(error) : known
  }
}

/**
 * Makes the task that imports a kept file and tells a worker. When it returns, the task is durable.
 * @returns its id
 * @throws AppError NOT_FOUND when the list was deleted meanwhile
 */
export async function createTask(ctx: PricingImportContext, list: PriceListRecord, file: Pick<StoredFile, 'id' | 'name' | 'size'>, origin: Origin): Promise<number> {
  const id = await ctx.counters.take('import_tasks', 1)
  const { format, markup_percent, delivery_days, mode, min_rows_ratio } = list
  await ctx.tasks.insert({
    id, price_list_id: list.id, file_id: file.id, file_name: file.name, file_size: file.size,
    rules: { format, markup_percent, delivery_days }, mode, min_rows_ratio, ...origin,
  })
  await ctx.files.use(file.id)
  // a deletion that did not see the task has hidden the list by now
  if (!(await ctx.lists.find(list.id))) {
    await ctx.tasks.delete(id)
    throw new AppError('NOT_FOUND', texts.notFound)
  }
  ctx.nudges.send(id)
  return id
}
