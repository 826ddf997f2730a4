import { describe, expect, it } from '@jest/globals'
import { bearerToken } from './bearer-token.js'

describe('the bearer token (rules.md#tokens)', () => {
  it.each([
    [['Authorization', 'Bearer abc'], 'abc'],
    [['authorization', 'bearer abc'], 'abc'],
    [['AUTHORIZATION', 'BEARER   A-Z.z_0~+/='], 'A-Z.z_0~+/='],
    [['Host', 'x', 'Authorization', 'Bearer abc'], 'abc'],
    [[], undefined],
    [['Authorization', ''], undefined],
    [['Authorization', 'Bearer'], undefined],
    [['Authorization', 'Bearer '], undefined],
    [['Authorization', 'Bearer a b'], undefined],
    [['Authorization', 'Bearer\tabc'], undefined],
    [['Authorization', 'Basic YTpi'], undefined],
    [['Authorization', 'Bearerabc'], undefined],
    [['Authorization', 'Bearer a\u0000b'], undefined],
    [['Authorization', 'Bearer пароль'], undefined],
    [['Authorization', 'Bearer a,b'], undefined],
    [['Authorization', 'Bearer abc', 'authorization', 'Bearer abc'], undefined],
    [['X-Authorization', 'Bearer abc'], undefined],
  ])('%j → %j', (rawHeaders, token) => expect(bearerToken(rawHeaders)).toBe(token))
})
