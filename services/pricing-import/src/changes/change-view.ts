import { comparedFields, type VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import { FIRST_COPY } from '../offers/offer-id.js'
import type { ImportableRow } from '../rows/read-row.js'
import type { ChangedPlaces } from './offer-changes.js'

/** @returns undefined when a version no longer has an offer that it had */
export function changeView(
  places: ChangedPlaces,
  older: ImportableRow | undefined,
  newer: ImportableRow | undefined,
): VersionChange | undefined {
  const named = newer ?? older
  if (!named || (places.old !== 0 && !older) || (places.new !== 0 && !newer)) return undefined
  return {
    kind: places.kind,
    brand: named.brand,
    article: named.article,
    changed: older && newer ? comparedFields.filter((field) => older[field] !== newer[field]) : [],
    price_percent: percentBetween(older?.price, newer?.price),
    old: older ? sideView(older, places.old) : null,
    new: newer ? sideView(newer, places.new) : null,
  }
}

/** With two decimals; null where one of the prices is absent, or the first one is 0. */
function percentBetween(before: number | null | undefined, now: number | null | undefined): number | null {
  if (before === null || before === undefined || now === null || now === undefined || before === 0) return null
  return Math.round((now / before - 1) * 10_000) / 100
}

function sideView({ name, quantity, price, delivery_days }: ImportableRow, place: number) {
  return { name, quantity, price, delivery_days, row: place < FIRST_COPY ? place : null }
}
