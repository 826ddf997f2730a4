import { describe, expect, it } from '@jest/globals'
import { digest, previousTokenMatches, tokenMatches } from './api-token.js'

describe('the token before the current one (admin.md#tokens-overlap)', () => {
  const now = Date.parse('2026-11-21T09:00:00Z')
  const minute = 60_000
  const previous = {
    sha256: digest('old').toString('hex'),
    last4: 'old',
    valid_until: new Date(now + 60 * minute).toISOString(),
  }

  it.each([
    ['is accepted within its overlap', 'old', 59 * minute, true],
    ['is rejected when the overlap has ended', 'old', 60 * minute, false],
    ['is no other token', 'oldx', 0, false],
  ])('%s', (_case, token, after, isAccepted) => {
    expect(previousTokenMatches(token, { previous }, now + after)).toBe(isAccepted)
  })
})

it('without a stored digest no token matches', () => {
  expect([tokenMatches('a', digest('a')), tokenMatches('a', undefined)]).toEqual([true, false])
})
