import { MEGABYTE, type NumberField, readChanges, showNumbers } from '../ui/draft-fields.js'
import type { Api, Settings } from './set-up-calls.js'

const NUMBERS = {
  erp_max_batch_items: { isWhole: true },
  erp_rate_limit: { isWhole: true, blank: null },
  b2b_rate_limit: { isWhole: true, blank: null },
  'price-lists.import.max_file_size': { isWhole: true, scale: 1 / MEGABYTE },
  media_wait_ms: { isWhole: true },
  retention_days: { isWhole: true },
  audit_retention_days: { isWhole: true },
} as const satisfies Record<string, NumberField>

export type NumberSetting = keyof typeof NUMBERS
export type SettingsDraft = Omit<Settings, NumberSetting | 'maintenance' | 'erp_token' | 'b2b_token'> &
  Record<NumberSetting, string> & {
    /** blank: off */
    maintenance: string
  }

export function toSettingsDraft(settings: Settings): SettingsDraft {
  const { erp_token: _erp, b2b_token: _b2b, maintenance, ...rest } = settings
  return { ...rest, maintenance: maintenance ?? '', ...showNumbers(NUMBERS, settings) }
}

/** @returns the changes against what was stored, and the numbers that cannot be read */
export function readSettings(draft: SettingsDraft, base: SettingsDraft) {
  const { body, invalid } = readChanges(draft, base, NUMBERS)
  const { maintenance, ...rest } = body
  return {
    body: {
      ...rest,
      ...(maintenance !== undefined && { maintenance: maintenance.trim() === '' ? null : maintenance }),
    },
    invalid,
  }
}

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
