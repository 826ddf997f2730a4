import type { PriceList, PriceListVersion } from '@partsbus/contracts/price-list'
import { HIDDEN } from '@partsbus/contracts/storage'
import type { PriceListRecord } from './price-list-record.js'

/** A list as the admin API answers it; passwords read `"***"`. */
export function showPriceList(list: PriceListRecord): PriceList {
  const { id, name, storage_id, is_active, mode, markup_percent, min_rows_ratio, delivery_days, format, sources } = list
  return {
    id,
    name,
    storage_id,
    is_active,
    mode,
    markup_percent,
    min_rows_ratio,
    delivery_days,
    format,
    sources: sources.map(({ sealed_password, state, ...source }) => ({
      ...source,
      ...(sealed_password !== null && { password: HIDDEN }),
      last_run: state.last_run,
    })),
  }
}

/** The kept versions, newest first. A version is named by the task that made it. */
export function showVersions(list: PriceListRecord): PriceListVersion[] {
  return list.versions.map(({ version, rows, created_at }) => ({
    version,
    task_id: version,
    rows,
    is_active: version === list.active_version,
    created_at: created_at.toISOString(),
  }))
}
