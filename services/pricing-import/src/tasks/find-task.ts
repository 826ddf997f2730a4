import { AppError, texts } from '@partsbus/contracts/errors'
import type { PricingImportContext } from '../context.js'
import type { ImportTaskRecord } from './import-task-record.js'

/** @throws AppError NOT_FOUND */
export async function findTask(ctx: PricingImportContext, id: number): Promise<ImportTaskRecord> {
  const task = await ctx.tasks.find(id)
  if (!task) throw new AppError('NOT_FOUND', texts.notFound)
  return task
}
