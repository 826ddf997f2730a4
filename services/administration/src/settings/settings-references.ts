import type { SettingsReference } from '@partsbus/contracts/administration/settings-commands'
import type { Settings } from '@partsbus/contracts/administration/settings'

export interface Reference {
  setting: keyof Settings
  kind: SettingsReference
  /** path in the request body, like `storages_for_crosses.2` */
  path: string
  id: number
}

/** Every storage and pick-up point that some settings refer to. */
export function listReferences(settings: Partial<Settings>): Reference[] {
  const found: Reference[] = []
  if (typeof settings.erp_storage_id === 'number') {
    found.push({ setting: 'erp_storage_id', kind: 'storage', path: 'erp_storage_id', id: settings.erp_storage_id })
  }
  if (typeof settings.erp_pick_up_point_id === 'number') {
    found.push({
      setting: 'erp_pick_up_point_id',
      kind: 'pick-up point',
      path: 'erp_pick_up_point_id',
      id: settings.erp_pick_up_point_id,
    })
  }
  for (const [index, id] of (settings.storages_for_crosses ?? []).entries()) {
    found.push({ setting: 'storages_for_crosses', kind: 'storage', path: `storages_for_crosses.${index}`, id })
  }
  return found
}

/** The patch after which settings do not refer to the resource; undefined where they do not refer to it. */
export function patchWithoutReferences(
  settings: Settings,
  kind: SettingsReference,
  id: number,
): Partial<Settings> | undefined {
  const found = listReferences(settings).filter((reference) => reference.kind === kind && reference.id === id)
  if (found.length === 0) return undefined
  return Object.fromEntries(
    found.map(({ setting }) => [
      setting,
      setting === 'storages_for_crosses' ? settings.storages_for_crosses.filter((other) => other !== id) : null,
    ]),
  )
}

/** Names of the settings that refer to the resource. */
export function namesReferring(settings: Settings, kind: SettingsReference, id: number): string[] {
  const found = listReferences(settings).filter((reference) => reference.kind === kind && reference.id === id)
  return [...new Set(found.map(({ setting }) => setting))]
}
