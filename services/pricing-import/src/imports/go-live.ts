import type { PricingImportContext } from '../context.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { ImportFailure } from './import-failure.js'
import type { ListHold } from './list-hold.js'
import { LostImport } from './list-hold.js'

/** What came of the switch. `changed`: a merge whose base is no longer the active version must start again. */
export type Switch = 'live' | 'superseded' | 'changed'

/**
 * Makes the task's version live, unless a newer one has been (rules.md#newest-wins).
 * @param rows offers in the version
 * @param base for a merge the version it started from
 * @throws ImportFailure when the guard `min_rows_ratio` refuses it
 */
export async function goLive(ctx: PricingImportContext, hold: ListHold, rows: number, base?: number): Promise<Switch> {
  const { id, price_list_id, min_rows_ratio } = hold.task
  for (;;) {
    const list = await hold.reach(() => ctx.lists.find(price_list_id))
    if (!list) throw new LostImport()
    if (list.versions.some(({ version }) => version === id)) return 'live'
    if (list.highest_live > id) return 'superseded'
    if (base !== undefined && list.active_version !== base) return 'changed'
    guard(list, rows, min_rows_ratio)
    const fresh = { version: id, rows, created_at: new Date() }
    if (await hold.reach(() => ctx.lists.goLive(list, hold.owner, fresh))) return 'live'
    // what was judged has changed, or the lease went to another worker, which the next write would be refused for
    await hold.must(() => ctx.lists.renew(price_list_id, hold.owner, ctx.config.IMPORT_LEASE_MS))
  }
}

function guard(list: PriceListRecord, rows: number, ratio: number | null): void {
  const live = list.versions.find(({ version }) => version === list.active_version)?.rows ?? 0
  if (ratio === null || live === 0 || rows >= live * ratio) return
  throw new ImportFailure(
    `The new list has ${rows} rows, the one in use ${live}: fewer than the share of ${ratio} that is set for this price list. The old list stays.`,
  )
}
