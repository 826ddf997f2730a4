import { parseNumber } from '../ui/formats.js'
import type { Api, Settings, SettingsPatch } from './set-up-calls.js'

const MEGABYTE = 1e6
/** Settings that are numbers; a blank is null where that means something. */
const NUMBERS = {
  erp_max_batch_items: { isOptional: false, unit: 1 },
  erp_rate_limit: { isOptional: true, unit: 1 },
  b2b_rate_limit: { isOptional: true, unit: 1 },
  'price-lists.import.max_file_size': { isOptional: false, unit: MEGABYTE },
  media_wait_ms: { isOptional: false, unit: 1 },
  retention_days: { isOptional: false, unit: 1 },
  audit_retention_days: { isOptional: false, unit: 1 },
} as const

export type NumberSetting = keyof typeof NUMBERS
export type SettingsDraft = Omit<Settings, NumberSetting | 'maintenance' | 'erp_token' | 'b2b_token'> &
  Record<NumberSetting, string> & {
    /** blank: off */
    maintenance: string
  }

export const numberSettings = Object.keys(NUMBERS) as NumberSetting[]

export function toSettingsDraft(settings: Settings): SettingsDraft {
  const { erp_token: _erp, b2b_token: _b2b, maintenance, ...rest } = settings
  const numbers = numberSettings.map((name) => {
    const value = settings[name]
    return [name, value === null ? '' : String(value / NUMBERS[name].unit)]
  })
  return { ...rest, maintenance: maintenance ?? '', ...(Object.fromEntries(numbers) as Record<NumberSetting, string>) }
}

/** @returns the changes against what was stored, and the numbers that cannot be read */
export function readSettings(
  draft: SettingsDraft,
  base: SettingsDraft,
): { patch: SettingsPatch; invalid: NumberSetting[] } {
  const invalid: NumberSetting[] = []
  const patch: Record<string, unknown> = {}
  for (const name of Object.keys(draft) as (keyof SettingsDraft)[]) {
    if (JSON.stringify(draft[name]) === JSON.stringify(base[name])) continue
    if (name === 'maintenance') {
      patch[name] = draft[name].trim() === '' ? null : draft[name]
      continue
    }
    if (!isNumber(name)) {
      patch[name] = draft[name]
      continue
    }
    const { isOptional, unit } = NUMBERS[name]
    const value = parseNumber(draft[name])
    if (Number.isNaN(value) || (value === undefined && !isOptional)) invalid.push(name)
    else patch[name] = value === undefined ? null : Math.round(value * unit)
  }
  return { patch: patch as SettingsPatch, invalid }
}

const isNumber = (name: string): name is NumberSetting => name in NUMBERS

/** What an API needs before it can be used, by the words of the overview. */
export function missingOf(
  api: Api,
  { erp_token, b2b_token, erp_storage_id, erp_pick_up_point_id }: Settings,
): ('token' | 'storage' | 'pick-up point')[] {
  const needs = {
    storage: api === 'b2b' || erp_storage_id !== null,
    'pick-up point': api === 'b2b' || erp_pick_up_point_id !== null,
    token: (api === 'erp' ? erp_token : b2b_token) !== null,
  }
  return (Object.keys(needs) as (keyof typeof needs)[]).filter((part) => !needs[part])
}
