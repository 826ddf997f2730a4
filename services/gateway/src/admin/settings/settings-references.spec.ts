import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/errors'
import { defaultSettings } from '@partsbus/contracts/gateway/settings'
import { listReferences, assertNotReferenced, type SettingsReference } from './settings-references.js'

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

describe('a resource that settings refer to is not deleted (admin.md#references)', () => {
  const cases: Array<[SettingsReference, number, string | undefined]> = [
    ['storage', 3, 'The storage is used by the settings erp_storage_id, storages_for_crosses.'],
    ['storage', 5, 'The storage is used by the setting storages_for_crosses.'],
    ['pick-up point', 4, 'The pick-up point is used by the setting erp_pick_up_point_id.'],
    ['storage', 4, undefined],
    ['pick-up point', 3, undefined],
  ]
  it.each(cases)('%s %i: %s', (kind, id, message) => {
    const refuse = (): void => assertNotReferenced(settings, kind, id)
    if (message === undefined) expect(refuse).not.toThrow()
    else expect(refuse).toThrow(new AppError('CONFLICT', message))
  })
})
