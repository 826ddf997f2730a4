import { type NumberField, readChanges, showNumbers } from '../ui/draft-fields.js'
import type { SupplyRow } from './catalog-calls.js'

/** A blank price is none. */
const FIELDS = {
  selling_price: { blank: null },
  old_price: { blank: null },
  purchase_price: { blank: null },
  reserved: {},
  shipped: {},
} as const satisfies Record<string, NumberField>

export type SupplyField = keyof typeof FIELDS
export type SupplyDraft = Record<SupplyField, string>

export const SUPPLY_FIELDS = Object.keys(FIELDS) as SupplyField[]

export const isPrice = (field: SupplyField): boolean => 'blank' in FIELDS[field]

/** The stored values as a person edits them. */
export const toDraft = (supply: SupplyRow): SupplyDraft => showNumbers(FIELDS, supply)

export const readDraft = (draft: SupplyDraft, base: SupplyDraft) => readChanges(draft, base, FIELDS)
