import type { PricingImportContext } from '../context.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import type { ImportTaskRecord } from '../tasks/import-task-record.js'
import { ImportFailure } from './import-failure.js'
import type { ImportLease } from './import-lease.js'
import { LostImport } from './import-lease.js'

/** What came of the switch. `changed`: a merge whose base is no longer the active version must start again. */
export type Switch = 'live' | 'superseded' | 'changed'

/**
 * Makes the task's version live, unless a newer one has been (rules.md#newest-wins).
 * @param rows offers in the version
 * @param base for a merge the version it started from
 * @throws ImportFailure when the guard `min_rows_ratio` refuses it
 */
export async function goLive(
  ctx: PricingImportContext,
  lease: ImportLease,
  rows: number,
  base?: number,
): Promise<Switch> {
  const { id, price_list_id, min_rows_ratio, mode } = lease.task
  for (;;) {
    const list = await lease.retryWhileDbDown(() => ctx.lists.find(price_list_id))
    if (!list) throw new LostImport()
    if (list.versions.some(({ version }) => version === id)) return 'live'
    if (isSuperseded(list, lease.task)) return 'superseded'
    if (base !== undefined && list.active_version !== base) return 'changed'
    if (list.removed.some(({ version }) => version === id))
      throw new ImportFailure('The import was withdrawn before it could be published. Upload the file again.')
    guard(list, rows, min_rows_ratio)
    const fresh = { version: id, rows, created_at: new Date(await lease.retryWhileDbDown(() => ctx.clock())) }
    if (await lease.retryWhileDbDown(() => ctx.versions.goLive(list, lease.owner, fresh, mode === 'replace')))
      return 'live'
    // what was judged has changed, or the lease went to another worker, which the next write would be refused for
    await lease.fencedWrite(() => ctx.lists.renew(price_list_id, lease.owner, ctx.config.IMPORT_LEASE_MS))
  }
}

/**
 * Whether the upload came too late: before a rollback, or before a replacement that is live already. A merge that was
 * overtaken by another merge is still merged, into what is live then.
 */
export function isSuperseded(list: PriceListRecord, { id, mode }: Pick<ImportTaskRecord, 'id' | 'mode'>): boolean {
  return id <= list.superseded_through || (mode === 'replace' && id < list.highest_live)
}

function guard(list: PriceListRecord, rows: number, ratio: number | null): void {
  const live = list.versions.find(({ version }) => version === list.active_version)?.rows ?? 0
  if (ratio === null || live === 0 || rows >= live * ratio) return
  throw new ImportFailure(
    `The new list has ${rows} rows and the active one ${live}, which is below the configured minimum of ${percent(ratio)}. The previous version remains active.`,
  )
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))} %`
}
