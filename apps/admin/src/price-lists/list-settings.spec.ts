import { describe, expect, it } from '@jest/globals'
import { readSettings, toSettingsDraft } from './list-settings.js'

const list = {
  id: 1,
  name: 'North',
  storage_id: 1,
  is_active: true,
  mode: 'replace' as const,
  markup_percent: 10,
  min_rows_ratio: 0.07,
  delivery_days: null,
  format: {},
  sources: [],
}
const base = toSettingsDraft(list as never)

describe('the settings of a list', () => {
  it('are shown with the guard in percent', () => {
    expect(base).toMatchObject({ markup_percent: '10', delivery_days: '', min_rows_ratio: '7' })
  })

  it('send only what was changed, with comma or point', () => {
    expect(readSettings({ ...base, markup_percent: '12,5', min_rows_ratio: '50' }, base)).toEqual({
      invalid: [],
      body: { markup_percent: 12.5, min_rows_ratio: 0.5 },
    })
  })

  it('are removed by a blank, and a blank markup is none', () => {
    expect(readSettings({ ...base, min_rows_ratio: '', markup_percent: '' }, base).body).toEqual({
      min_rows_ratio: null,
      markup_percent: 0,
    })
  })

  it('name what is no number', () => {
    expect(readSettings({ ...base, delivery_days: 'two' }, base)).toEqual({ invalid: ['delivery_days'], body: {} })
  })
})
