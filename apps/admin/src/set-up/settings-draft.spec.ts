import { describe, expect, it } from '@jest/globals'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import { missingOf, readSettings, toSettingsDraft } from './settings-draft.js'
import type { Settings } from './set-up-calls.js'

const settings: Settings = { ...defaultSettings, b2b_rate_limit: 60, erp_token: null, b2b_token: null }
const base = toSettingsDraft(settings)

describe('the settings', () => {
  it('are edited in megabytes and sent in bytes', () => {
    expect(base['price-lists.import.max_file_size']).toBe('50')
    const draft = { ...base, 'price-lists.import.max_file_size': '100' }
    expect(readSettings(draft, base).body).toEqual({ 'price-lists.import.max_file_size': 104_857_600 })
  })

  it('lose a limit by a blank', () => {
    expect(readSettings({ ...base, b2b_rate_limit: '' }, base).body).toEqual({ b2b_rate_limit: null })
  })

  it('switch maintenance on by a text and off by a blank', () => {
    expect(readSettings({ ...base, maintenance: 'Back at 5.' }, base).body).toEqual({ maintenance: 'Back at 5.' })
    const on = toSettingsDraft({ ...settings, maintenance: 'Back at 5.' })
    expect(on.maintenance).toBe('Back at 5.')
    expect(readSettings({ ...on, maintenance: ' ' }, on).body).toEqual({ maintenance: null })
  })

  it('need a number where there is no default', () => {
    expect(readSettings({ ...base, retention_days: '' }, base)).toEqual({ body: {}, invalid: ['retention_days'] })
  })

  it('send only what was changed', () => {
    expect(readSettings(base, base)).toEqual({ body: {}, invalid: [] })
    expect(readSettings({ ...base, erp_allowed_ips: ['10.0.0.1'] }, base).body).toEqual({
      erp_allowed_ips: ['10.0.0.1'],
    })
  })

  it('name what an API lacks', () => {
    expect(missingOf('erp', settings)).toEqual(['storage', 'pick-up point', 'token'])
    expect(missingOf('b2b', settings)).toEqual(['token'])
    const issued = { last4: 'x7Qk', issued_at: '2026-11-03T14:02:00Z' }
    expect(missingOf('erp', { ...settings, erp_storage_id: 1, erp_pick_up_point_id: 2, erp_token: issued })).toEqual([])
  })
})
