import { describe, expect, it } from '@jest/globals'
import type { SettingsReference } from '@partsbus/contracts/administration/settings-commands'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import { listReferences, namesReferring } from './settings-references.js'

const settings = { ...defaultSettings, erp_storage_id: 3, erp_pick_up_point_id: 4, storages_for_crosses: [5, 3] }

it('every storage and point that settings refer to is found, with its path', () => {
  expect(listReferences(settings).map(({ kind, path, id }) => [kind, path, id])).toEqual([
    ['storage', 'erp_storage_id', 3],
    ['pick-up point', 'erp_pick_up_point_id', 4],
    ['storage', 'storages_for_crosses.0', 5],
    ['storage', 'storages_for_crosses.1', 3],
  ])
  expect(listReferences(defaultSettings)).toEqual([])
})

describe('the settings that refer to a resource (admin.md#references)', () => {
  const cases: Array<[SettingsReference, number, string[]]> = [
    ['storage', 3, ['erp_storage_id', 'storages_for_crosses']],
    ['storage', 5, ['storages_for_crosses']],
    ['pick-up point', 4, ['erp_pick_up_point_id']],
    ['storage', 4, []],
    ['pick-up point', 3, []],
  ]
  it.each(cases)('%s %i: %j', (kind, id, names) => {
    expect(namesReferring(settings, kind, id)).toEqual(names)
  })
})
