import { describe, expect, it } from '@jest/globals'
import { assertClearNames } from './clear-name.js'

const violations = (names: Parameters<typeof assertClearNames>[0], before?: typeof names): unknown => {
  try {
    assertClearNames(names, before)
    return undefined
  } catch (error) {
    return (error as { details: { errors: unknown } }).details.errors
  }
}

describe('names of administrators (admin.md#administrators)', () => {
  it.each(['admin', 'Анна', 'anna.boss-2', 'Анна (Toyota)', 'anna_анна', 'Żółć', 'Zoe\u0308', '山田太郎 Toyota'])(
    '%s is clear',
    (name) => {
      expect(violations({ name, display_name: name })).toBeUndefined()
    },
  )

  it.each(['\u0430dmin', 'аnna', 'ann\u03b1', '\uff41dmin\u0430'])('%s mixes alphabets', (name) => {
    expect(violations({ name, display_name: name })).toEqual({
      name: ['The name must not mix alphabets in a word.'],
      display_name: ['The display name must not mix alphabets in a word.'],
    })
  })

  it.each([
    'ad\u200bmin',
    '\u202eadmin',
    'admin\u3164',
    'ad\u00admin',
    'ad\nmin',
    'admin\ufe0f',
    'ad\u034fmin',
    'admin\u{e0101}',
    'admin\u2800',
  ])('%j has what none sees', (name) => {
    expect(violations({ name })).toEqual({ name: ['The name must not contain invisible characters.'] })
  })

  it('may stay as they are', () => {
    const before = { name: '\u0430dmin', display_name: 'ad\u200bmin' }
    expect(violations({ ...before }, before)).toBeUndefined()
  })
})
