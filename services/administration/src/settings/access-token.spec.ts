import { describe, expect, it } from '@jest/globals'
import { generateToken, withOverlap } from './access-token.js'

describe('the token before the current one (admin.md#tokens-overlap)', () => {
  const now = new Date('2026-11-21T09:00:00Z')
  const old = generateToken(now)
  const next = withOverlap(generateToken(now).hash, old.hash, 60)

  it('is stored with the end of its overlap', () => {
    expect(next.previous).toEqual({
      sha256: old.hash.sha256,
      last4: old.hash.last4,
      valid_until: new Date('2026-11-21T10:00:00Z'),
    })
  })

  it('does not bring its own predecessor along', () => {
    const last = withOverlap(generateToken(now).hash, next, 60)
    expect(last.previous?.sha256).toBe(next.sha256)
    expect(JSON.stringify(last)).not.toContain(old.hash.sha256)
  })

  it('is not stored without an overlap', () => {
    expect(withOverlap(old.hash, next, 0)).toEqual(old.hash)
    expect(withOverlap(old.hash, null, 60)).toEqual(old.hash)
  })
})
