import { type NumberField, readChanges, showNumbers } from '../ui/draft-fields.js'
import type { PriceList } from './price-list-calls.js'

const NUMBERS = {
  markup_percent: { blank: 0 },
  delivery_days: { blank: null },
  min_rows_ratio: { blank: null, scale: 100 },
} as const satisfies Record<string, NumberField>

/** The settings of a list as a person edits them. */
export type SettingsDraft = Pick<PriceList, 'name' | 'is_active' | 'mode'> & Record<keyof typeof NUMBERS, string>

export const toSettingsDraft = (list: PriceList): SettingsDraft => ({
  name: list.name,
  is_active: list.is_active,
  mode: list.mode,
  ...showNumbers(NUMBERS, list),
})

export const readSettings = (draft: SettingsDraft, base: SettingsDraft) => readChanges(draft, base, NUMBERS)
