import { resolveStorages } from '@partsbus/contracts/stock'
import type { CallSettings } from '@partsbus/contracts/settings'
import type { SupplierSearchContext } from '../context.js'
import type { Budget } from './budget.js'
import type { AskedStorage } from './storage-answer.js'

/**
 * The storages a question goes to (decisions, "Which storages are asked"), read with each question. While the
 * stock service is away, those that it told last: then nobody can change them.
 * @param points null or undefined: the storages of the setting `storages_for_crosses`; else those of the points
 * @throws AppError UNAVAILABLE or TIMEOUT from the stock service
 */
export async function resolveAsked(
  ctx: SupplierSearchContext,
  points: readonly number[] | null | undefined,
  settings: CallSettings,
  budget: Budget,
): Promise<AskedStorage[]> {
  // ids begin at 1; any other names an unknown point
  const ids = points?.filter((id) => id > 0) ?? settings.storages_for_crosses
  if (ids.length === 0) return []
  const wanted = points ? { pick_up_point_ids: [...ids] } : { storage_ids: [...ids] }
  const limit = budget.limit()
  const key = `storages ${JSON.stringify(wanted)}`
  return ctx.remembered.read(key, async () => {
    const { storages } = await ctx.reads.read(key, limit, () => ctx.calls.request(resolveStorages, wanted, { timeoutMs: limit }))
    return storages as AskedStorage[]
  })
}
