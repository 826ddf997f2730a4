import { describe, expect, it } from '@jest/globals'
import { generateToken, previousTokenMatches, withOverlap } from './access-token.js'

describe('the token before the current one (admin.md#tokens-overlap)', () => {
  const now = new Date('2026-11-21T09:00:00Z')
  const old = generateToken(now)
  const next = withOverlap(generateToken(now).hash, old.hash, 60)
  const minute = 60_000

  it.each([
    ['is accepted within its overlap', old.token, 59 * minute, true],
    ['is rejected when the overlap has ended', old.token, 60 * minute, false],
    ['is no other token', `${old.token}x`, 0, false],
  ])('%s', (_case, token, after, isAccepted) => {
    expect(previousTokenMatches(token, next, now.getTime() + after)).toBe(isAccepted)
  })

  it('does not bring its own predecessor along', () => {
    const last = withOverlap(generateToken(now).hash, next, 60)
    expect(previousTokenMatches(old.token, last, now.getTime())).toBe(false)
    expect(JSON.stringify(last)).not.toContain(old.hash.sha256)
  })

  it('is not stored without an overlap', () => {
    expect(withOverlap(old.hash, next, 0)).toEqual(old.hash)
    expect(withOverlap(old.hash, null, 60)).toEqual(old.hash)
  })
})
