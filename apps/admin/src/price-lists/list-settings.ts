import { parseNumber } from '../ui/formats.js'
import type { ListPatch, PriceList } from './price-list-calls.js'

/** The settings of a list as a person edits them; a blank number is none. */
export interface SettingsDraft {
  name: string
  is_active: boolean
  mode: PriceList['mode']
  markup_percent: string
  delivery_days: string
  /** in percent */
  min_rows_ratio: string
}

type NumberField = 'markup_percent' | 'delivery_days' | 'min_rows_ratio'
const NUMBER_FIELDS: readonly NumberField[] = ['markup_percent', 'delivery_days', 'min_rows_ratio']

export const toSettingsDraft = ({
  name,
  is_active,
  mode,
  markup_percent,
  delivery_days,
  min_rows_ratio,
}: PriceList): SettingsDraft => ({
  name,
  is_active,
  mode,
  markup_percent: String(markup_percent),
  delivery_days: delivery_days === null ? '' : String(delivery_days),
  // 0.07 × 100 is not quite 7
  min_rows_ratio: min_rows_ratio === null ? '' : String(Math.round(min_rows_ratio * 1e6) / 1e4),
})

/** @returns the numbers that cannot be read, and the changes against what was stored */
export function readSettings(draft: SettingsDraft, base: SettingsDraft): { invalid: NumberField[]; patch: ListPatch } {
  const invalid: NumberField[] = []
  const patch: ListPatch = {}
  if (draft.name !== base.name) patch.name = draft.name
  if (draft.is_active !== base.is_active) patch.is_active = draft.is_active
  if (draft.mode !== base.mode) patch.mode = draft.mode
  for (const field of NUMBER_FIELDS) {
    if (draft[field] === base[field]) continue
    const value = parseNumber(draft[field])
    if (Number.isNaN(value)) invalid.push(field)
    else if (field === 'markup_percent') patch.markup_percent = value ?? 0
    else if (field === 'delivery_days') patch.delivery_days = value ?? null
    else patch.min_rows_ratio = value === undefined ? null : value / 100
  }
  return { invalid, patch }
}
