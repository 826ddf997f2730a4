import { parseNumber } from '../ui/formats.js'
import type { SupplyChange, SupplyRow } from './catalog-calls.js'

export const PRICE_FIELDS = ['selling_price', 'old_price', 'purchase_price'] as const
export const COUNT_FIELDS = ['reserved', 'shipped'] as const
export type SupplyField = (typeof PRICE_FIELDS)[number] | (typeof COUNT_FIELDS)[number]
export type SupplyDraft = Record<SupplyField, string>

export const SUPPLY_FIELDS: readonly SupplyField[] = [...PRICE_FIELDS, ...COUNT_FIELDS]

/** The stored values as a person edits them; blank: no price. */
export function toDraft(supply: SupplyRow): SupplyDraft {
  return Object.fromEntries(SUPPLY_FIELDS.map((field) => [field, String(supply[field] ?? '')])) as SupplyDraft
}

export const isPrice = (field: SupplyField): boolean => (PRICE_FIELDS as readonly string[]).includes(field)

/** @returns what is no number by field, and the changes against what the draft was made of */
export function readDraft(
  draft: SupplyDraft,
  base: SupplyDraft,
): { invalid: SupplyField[]; patch: SupplyChange['patch'] } {
  const invalid: SupplyField[] = []
  const patch: Record<string, number | null> = {}
  for (const field of SUPPLY_FIELDS) {
    const value = parseNumber(draft[field])
    if (Number.isNaN(value) || (value === undefined && !isPrice(field))) invalid.push(field)
    else if ((value ?? null) !== (parseNumber(base[field]) ?? null)) patch[field] = value ?? null
  }
  return { invalid, patch }
}
