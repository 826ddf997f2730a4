import type { PriceListRecord } from '../price-lists/price-list-record.js'

/** Offers of the live version; 0 while there is none. */
export function liveRows({ versions, active_version }: Pick<PriceListRecord, 'versions' | 'active_version'>): number {
  return versions.find(({ version }) => version === active_version)?.rows ?? 0
}

/** Whether `min_rows_ratio` admits a version with this number of offers. */
export function hasEnoughRows(rows: number, live: number, ratio: number | null): boolean {
  return ratio === null || live === 0 || rows >= live * ratio
}
