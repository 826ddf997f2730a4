import { describe, expect, it } from '@jest/globals'
import { passwordProblem, readAccount, toAccountDraft, zoneChoices } from './account-draft.js'

const account = {
  id: 3,
  name: 'anna',
  display_name: 'Anna',
  role: 'manager',
  locale: 'ru',
  time_zone: null,
  theme: 'auto',
} as const
const base = toAccountDraft({ administrator: account })

describe('readAccount', () => {
  it('sends nothing when nothing was changed', () => {
    expect(readAccount(base, base)).toEqual({ body: {} })
  })

  it('sends only what was changed', () => {
    expect(readAccount({ ...base, locale: 'en', theme: 'dark' }, base)).toEqual({
      body: { locale: 'en', theme: 'dark' },
    })
  })

  it('sends null for the zone of the browser', () => {
    const inRiga = { ...base, time_zone: 'Europe/Riga' }
    expect(readAccount(inRiga, base)).toEqual({ body: { time_zone: 'Europe/Riga' } })
    expect(readAccount(base, inRiga)).toEqual({ body: { time_zone: null } })
  })
})

describe('zoneChoices', () => {
  it('adds UTC', () => {
    expect(zoneChoices(['Asia/Tokyo', 'Europe/Riga'], '')).toEqual(['Asia/Tokyo', 'Europe/Riga', 'UTC'])
  })

  it('keeps a stored zone that the browser does not know, once', () => {
    expect(zoneChoices(['Europe/Riga', 'UTC'], 'Mars/Base')).toEqual(['Europe/Riga', 'Mars/Base', 'UTC'])
    expect(zoneChoices(['Europe/Riga'], 'Europe/Riga')).toEqual(['Europe/Riga', 'UTC'])
  })
})

describe('passwordProblem', () => {
  it.each([
    ['elevenchars', 'elevenchars', 'short'],
    ['🔑🔑🔑🔑🔑🔑', '🔑🔑🔑🔑🔑🔑', 'short'],
    ['twelve chars', 'twelve char', 'differs'],
    ['twelve chars', 'twelve chars', undefined],
  ])('%s, %s: %s', (next, again, problem) => {
    expect(passwordProblem({ next, again })).toBe(problem)
  })
})
