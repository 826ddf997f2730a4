import { describe, expect, it } from '@jest/globals'
import { readChanges, readNumbers, showNumbers } from './draft-fields.js'

const FIELDS = {
  days: { isWhole: true },
  limit: { blank: null },
  share: { scale: 100, blank: 0 },
  megabytes: { scale: 1e-6, isWhole: true },
  pause: { blank: 'left out' },
} as const

describe('numbers of a draft', () => {
  it('are shown in their unit, and none as a blank', () => {
    expect(showNumbers(FIELDS, { days: 60, limit: null, share: 0.07, megabytes: 52_428_800 })).toEqual({
      days: '60',
      limit: '',
      share: '7',
      megabytes: '52.4288',
      pause: '',
    })
  })

  it.each([
    ['days', '1 000', { days: 1_000 }],
    ['days', '2,5', { days: 3 }],
    ['limit', '12,5', { limit: 12.5 }],
    ['share', '7', { share: 0.07 }],
    ['megabytes', '100', { megabytes: 100_000_000 }],
    ['limit', ' ', { limit: null }],
    ['share', '', { share: 0 }],
    ['pause', '', {}],
  ])('%s: %j is sent as %j', (name, text, numbers) => {
    const draft = { days: '', limit: '', share: '', megabytes: '', pause: '', [name]: text }
    expect(readNumbers(FIELDS, draft, [name])).toEqual({ numbers, invalid: [] })
  })

  it.each([
    ['days', ''],
    ['days', 'ten'],
    ['pause', 'soon'],
  ])('%s: %j cannot be read', (name, text) => {
    const draft = { days: '', limit: '', share: '', megabytes: '', pause: '', [name]: text }
    expect(readNumbers(FIELDS, draft, [name])).toEqual({ numbers: {}, invalid: [name] })
  })
})

describe('the changes of a draft', () => {
  const base = { display_name: 'Anna', role: 'manager', is_active: true }

  it('are only what differs', () => {
    expect(readChanges({ ...base, role: 'owner' }, base, {}).body).toEqual({ role: 'owner' })
    const changed = { display_name: 'Anna K.', is_active: false }
    expect(readChanges({ ...base, ...changed }, base, {}).body).toEqual(changed)
    expect(readChanges(base, base, {})).toEqual({ body: {}, invalid: [] })
  })

  it('leave an unchanged number out, whatever it is', () => {
    const stored = { name: 'a', days: 'ten' }
    expect(readChanges({ ...stored, name: 'b' }, stored, { days: {} })).toEqual({ body: { name: 'b' }, invalid: [] })
  })
})
